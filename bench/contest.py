"""A class, graded by everybody in turn: `grade batch`, the floors F1 to F3, and pytest, on the same submissions.

(b) per added submission against the floors, (c) against pytest, (d) how it grows with the class. A round asks each
contender once, so that a busy moment hits all alike; ratios are made within a round, and their median is told.
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from bench import measure
from bench.floors import with_pytest
from bench.floors.seat import FORKS, Floor, floor
from bench.measure import OF_A_CLASS, SOLUTIONS, Cost, Section, cost
from bench.submissions import DIFFERENT, EXERCISES, batch_command, of_one_exercise, submissions, write
from grader.gradebook import open_gradebook
from grader.intake import accept
from grader.model.course import load_course
from grader.model.job import Job
from grader.sandbox.launch import launcher

FLOOR_GOAL, PYTEST_GOAL, GROWTH_GOAL = 1.5, 20.0, 1.10
SMALL_CLASS = 120  # of submissions of one exercise
NAMES = {
    "F1": "F1: one warm process, no isolation",
    "F2": "F2: a bare fork for each, no isolation",
    "F3": "F3: bare forks, two at a time, no isolation",
    "pytest": "one `pytest` process for each",
    "xdist": "`pytest -n 2`, all in one run",
    "small": f"one exercise each: `grade batch`, {SMALL_CLASS} of them from start to end",
    "small pytest": "one exercise each: one `pytest` process for each",
}
NEEDED = {
    "b": {*FORKS},
    "c": {"pytest", "xdist", "small", "small pytest"},
    "d": set[str](),
    "e": set[str](),
}  # beside `grade batch`


class Plan(NamedTuple):
    """How many rounds; sizes of the class, the last of which only in the first round; pytest's share of a turn."""

    rounds: int
    sizes: tuple[int, ...]
    single: int


QUICK, FULL = Plan(1, (30, 120), 2), Plan(5, (30, 120, 480), 5)


class Times(NamedTuple):
    """Per round: the cost of `grade batch` by size of the class, and of one submission by contender."""

    batch: list[dict[int, Cost]]
    each: list[dict[str, Cost]]
    same_points: bool


def times(plan: Plan, keys: Set[str]) -> Times:
    """Everything that the sections `keys` need."""
    wanted = set().union(*(NEEDED[key] for key in keys))
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        room = Room(Path(folder), max(plan.sizes))
        started = stack.enter_context(launcher())
        floors = {name: stack.enter_context(floor(started, name)) for name in FORKS if name in wanted}
        for one in floors.values():
            room.on_floor(one, 1)
        found = Times([], [], same_points=True)
        for turn in range(plan.rounds):
            sizes = plan.sizes if turn == 0 else plan.sizes[:2]
            each: dict[str, Cost] = {}
            batch = {sizes[0]: room.batch(sizes[0])}
            for name, one in floors.items():
                each[name], points = room.on_floor(one, DIFFERENT)
                found = found._replace(same_points=found.same_points and points == room.points())
            batch |= {size: room.batch(size) for size in sizes[1:]}
            for name, run in room.in_pytest(plan.single):
                if name in wanted:
                    each[name] = run()
            found.batch.append(batch)
            found.each.append(each)
    return found


class Room:
    """A folder with a class in it, and the ways to grade that."""

    def __init__(self, folder: Path, count: int) -> None:
        self._folder, self._runs = folder, 0
        self._files = submissions(count)
        self._paths = write(folder / "turn", self._files[:DIFFERENT])
        course = load_course(SOLUTIONS)
        self._jobs = [Job(course, accept(path, course)) for path in self._paths]

    @property
    def _out(self) -> Path:
        return self._folder / f"out-{self._runs}"

    def batch(self, size: int) -> Cost:
        """`grade batch` on a class, from its start to its end."""
        handed_in = self._folder / f"class-{size}"
        if not handed_in.exists():
            write(handed_in, self._files[:size])
        return self._batch(handed_in)

    def _batch(self, handed_in: Path) -> Cost:
        self._runs += 1
        return cost(batch_command(handed_in, self._out), patience=OF_A_CLASS)

    def points(self) -> list[float]:
        """What the students of the first turn got in the last run of `grade batch`."""
        with open_gradebook(self._out / "gradebook.db", create=False) as book:
            got = {one.student: one.points for one in book.grades()}
        return [got[path.name] for path in self._paths]

    def on_floor(self, one: Floor, count: int) -> tuple[Cost, list[float]]:
        """One submission's share of `count`, and the points of each."""
        told = one.run(self._jobs[:count])
        points = [round(sum(result.points for result in results), 2) for results in told.results]
        return Cost(told.wall / count, told.cpu / count, 0.0, 0, 0.0), points

    def in_pytest(self, single: int) -> Iterator[tuple[str, Callable[[], Cost]]]:
        """One submission's share of each way to run pytest, and of a class of one exercise each; the start included."""
        apart = self._paths[:: -(-DIFFERENT // single)]
        yield "pytest", lambda: _mean([self._pytest([path]) for path in apart], len(apart))
        yield "xdist", lambda: _mean([self._pytest(self._paths, "-n", "2")], DIFFERENT)
        small = self._folder / "small"
        if not small.exists():
            write(small, of_one_exercise(self._files[:SMALL_CLASS]))
        yield "small", lambda: _mean([self._batch(small)], SMALL_CLASS)
        some = sorted(small.iterdir())[: len(EXERCISES) * -(-single // len(EXERCISES))]
        alone = [(path, next(path.iterdir()).stem) for path in some]
        yield "small pytest", lambda: _mean([self._pytest([path], of=(name,)) for path, name in alone], len(alone))

    def _pytest(self, paths: Sequence[Path], *options: str, of: Sequence[str] = EXERCISES) -> Cost:
        return cost(with_pytest.command(paths, *options, exercises=of), with_pytest.CODES, OF_A_CLASS)


def _mean(costs: Sequence[Cost], count: int) -> Cost:
    return Cost(*(sum(column) / count for column in zip(*costs, strict=True)))


# ---------------------------------------------------------------- arithmetic


def added(batch: dict[int, Cost], small: int, large: int) -> Cost:
    """What one more submission costs between two sizes of the class."""
    pairs = zip(batch[small], batch[large], strict=True)
    return Cost(*((more - less) / (large - small) for less, more in pairs))


def ratio(of: Sequence[float], to: Sequence[float]) -> float:
    """The median of the ratios within each round."""
    return statistics.median(one / other for one, other in zip(of, to, strict=True))


def steps(batch: Sequence[dict[int, Cost]]) -> dict[tuple[int, int], Cost]:
    """What one more submission costs between each size of the class and the next, over the rounds that have both."""
    found = {}
    for small, large in pairwise(sorted({size for one in batch for size in one})):
        found[small, large] = measure.median([added(one, small, large) for one in batch if large in one])
    return found


def growth(batch: Sequence[dict[int, Cost]]) -> float:
    """The last step beside the first; with one step only, the larger class per submission beside the smaller one."""
    taken = list(steps(batch).values())
    if len(taken) > 1:
        return taken[-1].wall / taken[0].wall
    small, large = sorted(batch[0])
    return ratio([one[large].wall / large for one in batch], [one[small].wall / small for one in batch])


# ---------------------------------------------------------------- tables


def sections(found: Times, keys: Set[str]) -> Iterator[Section]:
    """Those of (b), (c) and (d) that are asked for."""
    small, large = sorted(found.batch[0])[:2]
    batch = [added(one, small, large) for one in found.batch]
    if "b" in keys:
        yield _against_floors(found, batch, f"`grade batch`, each added submission ({small} → {large})")
    if "c" in keys:
        yield _against_pytest(found, batch)
    if "d" in keys:
        yield _growth(found)


def _row(what: str, one: Cost, *rest: str) -> tuple[str, ...]:
    return (what, f"{one.wall:.3f}", f"{one.cpu:.3f}", *(*rest, "", "")[:2])


def _against_floors(found: Times, batch: list[Cost], what: str) -> Section:
    floors = {name: [one[name] for one in found.each] for name in FORKS}
    walls = {name: ratio([one.wall for one in batch], [one.wall for one in costs]) for name, costs in floors.items()}
    cpu = ratio([one.cpu for one in batch], [one.cpu for one in floors["F3"]])
    rows = [_row(NAMES[name], measure.median(costs)) for name, costs in floors.items()]
    against = f"× {walls['F3']:.2f} F3 (CPU × {cpu:.2f}), × {walls['F2']:.2f} F2, × {walls['F1']:.2f} F1"
    met = walls["F3"] <= FLOOR_GOAL
    rows.append(_row(what, measure.median(batch), against, measure.kept(f"wall ≤ {FLOOR_GOAL:g} × F3", met)))
    same = measure.kept("the same points from all of them", found.same_points)
    rows.append((f"points of the {DIFFERENT} different submissions", "", "", "", same))
    figures = {f"batch/{name}": value for name, value in walls.items()} | {"batch/F3 cpu": cpu}
    return Section("b", "One submission of a class", rows, met and found.same_points, figures)


def _against_pytest(found: Times, batch: list[Cost]) -> Section:
    small = [one["small"] for one in found.each]
    rows, figures = [_row(NAMES["small"], measure.median(small))], {}
    for name, ours in (("small pytest", small), ("pytest", batch), ("xdist", batch)):
        costs = [one[name] for one in found.each]
        times_slower = figures[f"{name}/batch"] = ratio([one.wall for one in costs], [one.wall for one in ours])
        goal = measure.kept(f"≥ {PYTEST_GOAL:.0f} × `grade batch`", times_slower >= PYTEST_GOAL)
        against = f"× {times_slower:.1f} `grade batch`"
        rows.append(_row(NAMES[name], measure.median(costs), against, goal if name != "xdist" else ""))
    note = (
        "One submission's share, the start included; the student's code runs in the process of the tests. With all "
        "three exercises, `grade batch` is what each added submission costs."
    )
    reached = min(figures["pytest/batch"], figures["small pytest/batch"]) >= PYTEST_GOAL
    return Section("c", "The same checks in pytest", rows, reached, figures, note=note)


def _growth(found: Times) -> Section:
    rows, more = [], growth(found.batch)
    for size in sorted({size for one in found.batch for size in one}):
        whole = measure.median([one[size] for one in found.batch if size in one])
        rows.append(_row(f"a class of {size}, from start to end", whole, f"{whole.wall / size:.3f} s each"))
    for (small, large), one in steps(found.batch).items():
        rows.append(_row(f"each added submission, {small} → {large}", one))
    met = more <= GROWTH_GOAL
    last = ("the largest step beside the smallest", "", "", f"× {more:.2f}", measure.kept("≤ 1.1", met))
    return Section("d", "A growing class", [*rows, last], met, {"growth": more})
