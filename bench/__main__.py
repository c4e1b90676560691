"""All figures in one run: `python -m bench [--quick] [--only a,b,…] [--json] [--markdown FILE] [--peers]`.

Prints a Markdown table for each part and whether each goal is met; ends with 1 when one is not. `--markdown` puts them
into a file in the place of those that the last run made.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Iterator, Sequence, Set
from importlib.metadata import version
from pathlib import Path

from bench import cold, contest, endless, help, measure, memory, pages, start
from bench.measure import Section
from bench.peers import measured as peers
from bench.submissions import DIFFERENT

PARTS = {
    "a": "a cold start beside `import torch`",
    "b": "`grade batch` beside the same checks without isolation",
    "c": "the same checks in pytest",
    "d": "how a class grows",
    "e": "memory",
    "f": "`grade --help`",
    "g": "pages and records",
    "h": "starts and calls",
    "endless": "endless loops",
}
OF_A_CLASS = {"b", "c", "d", "e"}
ALONE = {"a": cold.section, "f": help.section, "g": pages.section, "h": start.section, "endless": endless.section,
         "peers": peers.section}  # fmt: skip
FIRST, LAST = "<!-- made by python -m bench -->", "<!-- end of what python -m bench made -->"


def machine() -> str:
    """What the figures depend on; the kind of machine, not its name."""
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown CPU")
    usable = len(os.sched_getaffinity(0))
    memory_gib = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (
        f"{usable} cores of {model} ({platform.machine()}), {memory_gib:.0f} GiB, "
        f"Python {platform.python_version()}, torch {version('torch')}"
    )


def measured(parts: Set[str], *, quick: bool) -> Iterator[Section]:
    """The parts asked for, in order; those of a class come from one series of rounds."""
    plan = contest.QUICK if quick else contest.FULL
    of_a_class: dict[str, Section] = {}
    for key in (key for key in (*PARTS, "peers") if key in parts):
        if key in OF_A_CLASS and not of_a_class:
            found = contest.times(plan, parts & OF_A_CLASS)
            of_a_class = {one.key: one for one in contest.sections(found, parts)}
            of_a_class |= {"e": memory.section(found.batch)} if "e" in parts else {}
        yield of_a_class[key] if key in of_a_class else ALONE[key](quick=quick)


def markdown(sections: Sequence[Section], seconds: float, *, quick: bool) -> str:
    """Everything, with the machine named, and how busy it was."""
    kind = "A quick run" if quick else "A full run"
    busy = f"load {os.getloadavg()[2]:.1f} over the last quarter of an hour"
    lead = f"{kind} of {seconds / 60:.0f} minutes on {machine()}; {busy}. Medians; {DIFFERENT} different submissions."
    keys = [one.key for one in sections]
    if not {*keys} >= {*PARTS}:
        lead += f" Only these parts were measured: {', '.join(keys)}."
    parts = [f"### {one.title}\n\n{measure.table(one.rows, one.head)}" + f"\n\n{one.note}" * bool(one.note)
             for one in sections]  # fmt: skip
    return "\n\n".join((lead, *parts))


def put_into(text: str, made: str) -> str:
    """`text` with `made` between the two marks.

    Raises:
        ValueError: the marks are not there.
    """
    before, first, rest = text.partition(FIRST)
    _, last, after = rest.partition(LAST)
    if not first or not last:
        raise ValueError(f"it has no lines {FIRST} and {LAST}")
    return f"{before}{FIRST}\n\n{made}\n\n{LAST}{after}"


def parts(text: str) -> set[str]:
    """The keys in a list with commas."""
    keys = {one.strip() for one in text.split(",") if one.strip()}
    if unknown := sorted(keys - set(PARTS)):
        raise argparse.ArgumentTypeError(f"there is no part {unknown[0]!r}; parts are {', '.join(PARTS)}")
    return keys


def parser() -> argparse.ArgumentParser:
    """The command line."""
    listed = "; ".join(f"{key}: {words}" for key, words in PARTS.items())
    made = argparse.ArgumentParser(prog="python -m bench", description="Measures what we claim about speed.")
    made.add_argument("--quick", action="store_true", help="one round, classes of 30 and 120: under 5 minutes")
    made.add_argument("--only", type=parts, default=set(PARTS), metavar="a,b,…", help=f"these parts only ({listed})")
    made.add_argument("--json", action="store_true", help="print everything as JSON and nothing else")
    made.add_argument(
        "--markdown", type=Path, metavar="FILE", help="also put the tables between the marks of this file"
    )
    made.add_argument(
        "--peers", action="store_true", help="also other autograders, installed by pip for this (minutes)"
    )
    return made


def main(arguments: argparse.Namespace) -> int:
    """Measure, print, and say whether all goals were met."""
    text = arguments.markdown.read_text(encoding="utf-8") if arguments.markdown else ""
    if arguments.markdown:
        put_into(text, "")  # a file without marks is told now, not after the run
    begun, sections = time.monotonic(), []
    for one in measured(arguments.only | ({"peers"} if arguments.peers else set()), quick=arguments.quick):
        print(f"{one.key} is measured, {time.monotonic() - begun:.0f} s so far", file=sys.stderr)
        sections.append(one)
    made = markdown(sections, time.monotonic() - begun, quick=arguments.quick)
    if arguments.json:
        print(json.dumps({"machine": machine(), "parts": [one._asdict() for one in sections]}, indent=1))
    else:
        print(made)
    if arguments.markdown:
        arguments.markdown.write_text(put_into(text, made), encoding="utf-8")
    return int(not all(one.reached for one in sections))


if __name__ == "__main__":
    sys.exit(main(parser().parse_args()))
