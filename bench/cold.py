"""What a student waits for: a cold `grade submit` against `import torch`, which nothing that uses torch can avoid.

`python -m bench.cold [ROUNDS]`. The goal: at most GOAL_SECONDS of CPU time more than `import torch`.
"""

from __future__ import annotations

import compileall
import sys
import tempfile

from bench import measure
from bench.measure import Cost, Section

ROUNDS, QUICK_ROUNDS = 7, 3
GOAL_SECONDS = 0.7
FLOOR = '`python -c "import torch"`'


def costs(count: int = ROUNDS) -> dict[str, Cost]:
    """Medians by command; the first is the floor. The toolkit is compiled first, as torch is: installing does that."""
    for package in ("grader", "reports"):
        compileall.compile_dir(measure.ROOT / package, quiet=1)
    with tempfile.TemporaryDirectory() as out:
        options = ("--quiet", "--exit-zero", "--out", out)
        commands = {
            FLOOR: measure.python("-W", "ignore", "-c", "import torch"),
            "`grade submit exercises/` (stubs)": measure.grade("submit", "exercises/", *options),
            "`grade submit examples/submission`": measure.grade("submit", "examples/submission", *options),
        }
        return {name: measure.median(taken) for name, taken in measure.rounds(commands, count).items()}


def above(medians: dict[str, Cost]) -> dict[str, float]:
    """CPU seconds that each command takes more than the floor."""
    return {name: cost.cpu - medians[FLOOR].cpu for name, cost in medians.items() if name != FLOOR}


def reached(medians: dict[str, Cost]) -> bool:
    """Whether every command stays within the goal."""
    return all(seconds <= GOAL_SECONDS for seconds in above(medians).values())


def rows(medians: dict[str, Cost]) -> list[tuple[str, ...]]:
    """One row per command."""
    floor = medians[FLOOR]
    lines: list[tuple[str, ...]] = [(FLOOR, f"{floor.wall:.2f}", f"{floor.cpu:.2f}", "", "")]
    for name, seconds in above(medians).items():
        cost = medians[name]
        against = f"{seconds:+.2f} s CPU, × {cost.cpu / floor.cpu:.2f}"
        goal = measure.kept(f"CPU ≤ floor + {GOAL_SECONDS:g} s", seconds <= GOAL_SECONDS)
        lines.append((name, f"{cost.wall:.2f}", f"{cost.cpu:.2f}", against, goal))
    return lines


def section(*, quick: bool) -> Section:
    """(a): measure, and put it in a table."""
    medians = costs(QUICK_ROUNDS if quick else ROUNDS)
    return Section("a", "A cold start", rows(medians), reached(medians), above(medians))


def main(count: int) -> bool:
    """Measure, print, and say whether the goal was reached."""
    medians = costs(count)
    print(measure.table(rows(medians)))
    floor = medians[FLOOR]
    print(f"\nTrust in the clock readings: import torch took {floor.cpu:.3f} s, and {floor.waited:.3f} s by os.wait4.")
    return reached(medians)


if __name__ == "__main__":
    sys.exit(not main(int(sys.argv[1]) if sys.argv[1:] else ROUNDS))
