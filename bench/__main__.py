"""All figures as one Markdown table: `python -m bench`. Ends with 1 when a goal is missed."""

from __future__ import annotations

import os
import platform
import sys
from importlib.metadata import version
from pathlib import Path

from bench import cold, confinement, help, measure


def machine() -> str:
    """What the figures depend on; the kind of machine, not its name."""
    cores = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").count("processor\t")
    usable = len(os.sched_getaffinity(0))
    return (
        f"{usable} of {cores} cores, {platform.machine()}, Python {platform.python_version()}, torch {version('torch')}"
    )


def main() -> bool:
    """Measure everything, print one table, and say whether all goals were reached."""
    colds, helps, heavy = cold.costs(), help.costs(), help.imported()
    lives, layers = confinement.lives()
    counts = f"{cold.ROUNDS} and {help.ROUNDS} interleaved rounds, and of {confinement.WORKERS} interleaved workers"
    print(f"{machine()}; medians of {counts}.\n")
    print(measure.table([*cold.rows(colds), *help.rows(helps, heavy), *confinement.rows(lives, layers)]))
    return cold.reached(colds) and help.reached(helps, heavy) and confinement.reached(lives)


if __name__ == "__main__":
    sys.exit(not main())
