"""What `grade --help` costs: against `import click`, which it cannot avoid, and what it must not import.

`python -m bench.help [ROUNDS]`. The goal: at most GOAL_RATIO times the wall time of `python -c "import click"`.
"""

from __future__ import annotations

import subprocess
import sys

from bench import measure
from bench.measure import Cost, Section

ROUNDS, QUICK_ROUNDS = 21, 7
GOAL_RATIO = 3.0
FLOOR = '`python -c "import click"`'
HELP = "`grade --help`"
HEAVY = ("torch", "pytest", "jinja2", "nbformat")
LOOK = """
import sys
from grader import cli
sys.argv = ["grade", "--help"]
try:
    cli.main()
finally:
    print(*sys.modules, file=sys.stderr)
"""


def imported() -> list[str]:
    """Which of the heavy packages `grade --help` imports."""
    done = subprocess.run(measure.python("-c", LOOK), cwd=measure.ROOT, capture_output=True, text=True, check=True)
    modules = done.stderr.split()
    if "click" not in modules:
        raise RuntimeError(f"this is not a list of modules: {done.stderr}")
    return [name for name in HEAVY if name in modules]


def costs(count: int = ROUNDS) -> dict[str, Cost]:
    """Medians by command; the first is the floor."""
    commands = {FLOOR: measure.python("-c", "import click"), HELP: measure.grade("--help")}
    return {name: measure.median(taken) for name, taken in measure.rounds(commands, count).items()}


def reached(medians: dict[str, Cost], heavy: list[str]) -> bool:
    """Whether help is as quick and as light as it has to be."""
    return not heavy and medians[HELP].wall <= GOAL_RATIO * medians[FLOOR].wall


def rows(medians: dict[str, Cost], heavy: list[str]) -> list[tuple[str, ...]]:
    """One row per command, and one for what was imported."""
    floor, cost = medians[FLOOR], medians[HELP]
    ratio = cost.wall / floor.wall
    goal = measure.kept(f"wall ≤ {GOAL_RATIO:.0f} × floor", ratio <= GOAL_RATIO)
    return [
        (FLOOR, f"{floor.wall:.3f}", f"{floor.cpu:.3f}", "", ""),
        (HELP, f"{cost.wall:.3f}", f"{cost.cpu:.3f}", f"× {ratio:.2f}", goal),
        ("what help imports", "", "", ", ".join(heavy), measure.kept(f"none of {', '.join(HEAVY)}", not heavy)),
    ]


def section(*, quick: bool) -> Section:
    """(f): measure, and put it in a table."""
    medians, heavy = costs(QUICK_ROUNDS if quick else ROUNDS), imported()
    figures = {"help/click": medians[HELP].wall / medians[FLOOR].wall}
    return Section("f", "Help", rows(medians, heavy), reached(medians, heavy), figures)


def main(count: int) -> bool:
    """Measure, print, and say whether the goals were reached."""
    medians, heavy = costs(count), imported()
    print(measure.table(rows(medians, heavy)))
    return reached(medians, heavy)


if __name__ == "__main__":
    sys.exit(not main(int(sys.argv[1]) if sys.argv[1:] else ROUNDS))
