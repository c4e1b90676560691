"""CSV files for people: one row for each student (wide), or one for each student and check (long).

UTF-8 with a byte order mark, which Excel asks for. Text that a spreadsheet would calculate gets an apostrophe; an id is
never altered, but left out and noted.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, BinaryIO

from reports.export.outcome import Written, told
from reports.export.rows import Row, figure
from reports.text import csv_cell

_WHO = ("key", "name", "login", "email", "number", "repository")
_GRADE = ("state", "attempt", "submitted", "points", "max_points", "points_before_lateness", "late_percent", "late")
_LONG = ("key", "name", "attempt", "exercise", "check", "title", "verdict", "points", "max_points", "tag")


@dataclass(frozen=True)
class Checks:
    """The exercises and their checks, in order: the columns of a wide table."""

    exercises: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def headings(self) -> tuple[str, ...]:
        """`exercise`, then `exercise.check` for each check of it."""
        return tuple(
            heading for name, checks in self.exercises for heading in (name, *(f"{name}.{one}" for one in checks))
        )


def checks_of(rows: Iterable[Row]) -> Checks:
    """All exercises and checks that occur, each where it is first seen."""
    found: dict[str, dict[str, None]] = {}
    for row in rows:
        for exercise in row.exercises:
            found.setdefault(exercise.name, {}).update(dict.fromkeys(check.name for check in exercise.checks))
    return Checks(tuple((name, tuple(checks)) for name, checks in found.items()))


def write_wide(rows: Iterable[Row], checks: Checks, out: BinaryIO) -> Written:
    """Row by row; students who handed in nothing have a row too. An exercise or check not in `checks` is noted."""
    written, notes = 0, list[str]()
    known = set(checks.headings)
    with _table(out) as table:
        table.writerow([*_WHO, *_GRADE, *checks.headings])
        for row in rows:
            points = _points(row)
            if more := [heading for heading in points if heading not in known]:
                notes.append(told(row, "other_checks", checks=", ".join(more)))
            table.writerow([*_who(row, _WHO, notes), *_grade(row), *(points.get(one, "") for one in checks.headings)])
            written += row.points is not None
    return Written(written, tuple(notes))


def write_long(rows: Iterable[Row], out: BinaryIO) -> Written:
    """Row by row; students who handed in nothing have a row without a check."""
    written, notes = 0, list[str]()
    with _table(out) as table:
        table.writerow(_LONG)
        for row in rows:
            who = [*_who(row, _LONG[:2], notes), row.attempt]
            for exercise, check in [(one, check) for one in row.exercises for check in one.checks]:
                cells = (exercise.name, check.name, check.title, check.verdict)
                points = (figure(check.points), figure(check.max_points))
                table.writerow([*who, *map(csv_cell, cells), *points, csv_cell(check.tag)])
            if not row.exercises:
                table.writerow([*who, *[""] * (len(_LONG) - len(who))])
            written += row.points is not None
    return Written(written, tuple(notes))


@contextmanager
def _table(out: BinaryIO) -> Iterator[Any]:
    text = io.TextIOWrapper(out, encoding="utf-8-sig", errors="replace", newline="", write_through=True)
    yield csv.writer(text)
    text.detach()


def _who(row: Row, columns: Iterable[str], notes: list[str]) -> list[str]:
    """The cells that say who it is: the name is text, all others are ids."""
    cells = []
    for column in columns:
        value = getattr(row.who, column)
        cell = csv_cell(value)
        if column != "name" and cell != value:
            notes.append(told(row, "id_left_out", column=column))
            cell = ""
        cells.append(cell)
    return cells


def _grade(row: Row) -> list[object]:
    late = row.late
    return [
        row.state,
        row.attempt,
        csv_cell(row.submitted),
        figure(row.points),
        figure(row.max_points),
        figure(row.earned),
        figure(late.percent) if late else "",
        csv_cell(late.sentence) if late else "",
    ]


def _points(row: Row) -> dict[str, str]:
    points = {}
    for exercise in row.exercises:
        points[exercise.name] = figure(exercise.points)
        points |= {f"{exercise.name}.{check.name}": figure(check.points) for check in exercise.checks}
    return points
