"""A forward pass replayed for the page: what each expression of the student's code made, beside the exercise's steps.

Nothing here decides on points. A course asks for it with a function `show_steps(student, draw)` in `checks.py`.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import torch

from grader.checks.claims import Operation, Spot
from grader.checks.expect import NEAR, gap
from grader.checks.student import Remote, Student

MOST_ROWS, MADE_CHARACTERS = 60, 100
Row = dict[str, Any]


@dataclass(frozen=True)
class Step:
    """A step of the exercise: how it reads ("Norm(x)"), and its value for the input of the replay."""

    name: str
    value: torch.Tensor


@dataclass(frozen=True)
class _Made:
    """A tensor that an expression made; `step` is the number of the step of the exercise with the same numbers."""

    spot: Spot
    value: torch.Tensor
    step: int | None


def replay(remote: Remote, steps: Sequence[Step], *, whole: bool = True) -> tuple[Row, ...]:
    """The rows of a record's trace: `remote` is called with the value of the first step, which is the input.

    The last step is what has to be returned, unless the steps are not the `whole` way; then nothing is marked.
    Shown is what the outermost function's expressions made, and inside of them what is a step of the exercise. The
    first value that should be the next step and is not is marked with what the exercise has there.
    """
    end, operations = remote.operations(steps[0].value, spots=True)
    made = list(_made(operations, steps, remote.student))
    right = end is not None and gap(operations[end].result, steps[-1].value) <= NEAR
    missing = None if right or not whole else _missing(made, steps)
    at = None if missing is None else _deviates_at(made, missing, steps)
    rows = [_row("x", steps[0].value) | {"step": steps[0].name}]
    for number, one in enumerate(made):
        marked = steps[missing] if missing is not None and number == at else None
        rows.append(_placed(remote.student, one, steps, marked))
    if missing is not None and at is None:
        rows.append(_row(None, None) | {"expected": _expected(steps[missing])})
    return tuple(_bounded(rows))


def _made(operations: Sequence[Operation], steps: Sequence[Step], student: Student) -> Iterator[_Made]:
    """The last value of each expression, and before it each value that is the first to equal another step."""
    reached = {0}
    seen = [one for one in operations if len(one.spots) == 2 and isinstance(one.result, torch.Tensor)]
    for outermost, group in groupby(seen, key=lambda one: one.spots[0]):
        values = list(group)
        *inside, last = (_equal(one.result, steps, reached) for one in values)
        for one, step in zip(values, inside, strict=False):
            if step is not None and step != last and step not in reached:
                reached.add(step)
                written = student.source(one.spots[1].path, one.spots[1].cell)
                yield _Made(one.spots[1] if written else outermost, one.result, step)
        reached.update(() if last is None else (last,))
        yield _Made(outermost, values[-1].result, last)


def _equal(value: torch.Tensor, steps: Sequence[Step], reached: Collection[int]) -> int | None:
    """The number of the step with these numbers, one that was not reached yet if there is one."""
    equal = [at for at, step in enumerate(steps) if gap(value, step.value) <= NEAR]
    return min(equal, key=lambda at: (at in reached, at), default=None)


def _missing(made: Sequence[_Made], steps: Sequence[Step]) -> int:
    """The step after the last one that something equals; the last step itself where something follows it."""
    return min(max([0, *(one.step for one in made if one.step is not None)]) + 1, len(steps) - 1)


def _deviates_at(made: Sequence[_Made], missing: int, steps: Sequence[Step]) -> int | None:
    """The first value of that step's shape which equals no step and comes after all steps before it."""
    before = [number for number, one in enumerate(made) if one.step is not None and one.step <= missing]
    for number in range(max(before, default=-1) + 1, len(made)):
        if made[number].step is None and made[number].value.shape == steps[missing].value.shape:
            return number
    return None


def _placed(student: Student, made: _Made, steps: Sequence[Step], marked: Step | None) -> Row:
    spot = made.spot
    lines = student.source(spot.path, spot.cell)
    known = 0 < spot.line <= len(lines)
    return _row(_text(spot, lines) if known else "…", made.value) | {
        "file": spot.path,
        "cell": spot.cell,
        "line": spot.line if known else None,
        "code": lines[spot.line - 1].strip()[:MADE_CHARACTERS] if known else "",
        "step": None if made.step is None else steps[made.step].name,
        "expected": None if marked is None else _expected(marked),
    }


def _row(made: str | None, value: torch.Tensor | None) -> Row:
    numbers = {"shape": None, "mean": None, "std": None} if value is None else _numbers(value)
    return {"file": "", "cell": None, "line": None, "code": "", "made": made, **numbers, "step": None, "expected": None}


def _expected(step: Step) -> Row:
    return {"step": step.name, **_numbers(step.value)}


def _numbers(value: torch.Tensor) -> Row:
    """Shape, mean and deviation (of all numbers, not of a sample), to a millionth."""
    plain = value.detach().double()
    mean, std = (plain.mean().item(), plain.std(correction=0).item()) if value.numel() else (math.nan, math.nan)
    shown = [round(number, 6) + 0.0 if math.isfinite(number) else None for number in (mean, std)]
    return {"shape": list(value.shape), "mean": shown[0], "std": shown[1]}


def _text(spot: Spot, lines: Sequence[str]) -> str:
    """The expression itself, in one line."""
    taken = [line.encode() for line in lines[spot.line - 1 : max(spot.last_line, spot.line)]]
    taken[-1] = taken[-1][: spot.last_column]
    taken[0] = taken[0][spot.column :]
    return " ".join(b" ".join(taken).decode(errors="replace").split())[:MADE_CHARACTERS]


def _bounded(rows: list[Row]) -> list[Row]:
    """At most MOST_ROWS: values of the student's own are left out first, from the end."""
    spare = len(rows) - MOST_ROWS
    own = [number for number, row in enumerate(rows) if row["step"] is None and row["expected"] is None]
    dropped = set(own[len(own) - spare :] if 0 < spare <= len(own) else own if spare > 0 else ())
    return [row for number, row in enumerate(rows) if number not in dropped][:MOST_ROWS]
