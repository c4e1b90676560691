"""Which attempt counts, and what it earns: reckoned from the raw facts whenever somebody asks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Literal

import msgspec

from grader.model.deadline import Arrival, Deadline, Lateness, settle
from grader.model.override import Applied, Override, with_overrides
from grader.model.record import Record

Counting = Literal["on_time", "last", "best", "all"]


class Attempt(msgspec.Struct, frozen=True):
    """Who handed in and when. `number` counts from 1; None where only one attempt was given, the newest so far."""

    arrival: Arrival
    number: int | None = None


class Graded(msgspec.Struct, frozen=True):
    """One attempt as it was graded, before overrides and lateness."""

    number: int
    arrival: Arrival
    record: Record


class Grade(msgspec.Struct, frozen=True):
    """What counts for a student. `record` has the overrides in it; `late` is None in a course without a deadline.

    `unused` are overrides of checks that the record does not have; `passed_over` are the numbers of attempts that do
    not count because a check of them could not be carried out: a failure of ours never takes a grade's place.
    """

    student: str
    number: int
    attempts: int
    record: Record
    points: float
    max_points: float
    late: Lateness | None = None
    overrides: tuple[Applied, ...] = ()
    unused: tuple[Override, ...] = ()
    passed_over: tuple[int, ...] = ()


def owed(record: Record) -> set[tuple[str, str]]:
    """The checks (with their exercises) that could not be carried out, through no fault of the student."""
    return {
        (exercise.name, check.name)
        for exercise in record.exercises
        for check in exercise.checks
        if check.verdict == "grader_error"
    }


def in_order(graded: Sequence[Graded]) -> list[Graded]:
    """Oldest first: by time where all times are known, else by number."""
    timed = all(one.arrival.submitted_at is not None for one in graded)
    return sorted(graded, key=lambda one: (_time(one.arrival) if timed else 0.0, one.number))


def counting_grades(
    attempts: Sequence[Graded], overrides: Sequence[Override], deadline: Deadline | None, counting: Counting
) -> Iterator[Grade]:
    """The grade of one student's attempts (oldest first); one for each attempt where "all" count.

    "on_time" is the newest attempt before the deadline, or the newest where all are late; "best" the one that keeps the
    largest share of its points, the newest of equals: in one of them something optional may have been begun.
    """
    every = [_grade(one, overrides, deadline, len(attempts)) for one in attempts]
    if counting == "all":
        yield from every
        return
    whole = [grade for grade in every if not owed(grade.record)]
    if not (choice := whole or every):
        return
    if counting == "on_time":
        choice = [grade for grade in choice if grade.late is None or grade.late.in_time] or choice
    chosen = max(reversed(choice), key=_share) if counting == "best" else choice[-1]
    yield msgspec.structs.replace(
        chosen, passed_over=tuple(grade.number for grade in every if whole and grade not in whole)
    )


def _share(grade: Grade) -> float:
    return grade.points / grade.max_points if grade.max_points else 0.0


def _grade(graded: Graded, overrides: Sequence[Override], deadline: Deadline | None, attempts: int) -> Grade:
    overridden = with_overrides(graded.record, overrides)
    record = overridden.record
    late = settle(deadline, graded.arrival, record.points) if deadline else None
    return Grade(
        student=graded.arrival.student,
        number=graded.number,
        attempts=attempts,
        record=record,
        points=late.points if late else record.points,
        max_points=record.max_points,
        late=late,
        overrides=overridden.applied,
        unused=overridden.unused,
    )


def _time(arrival: Arrival) -> float:
    at = arrival.submitted_at or datetime.min
    return (at if at.utcoffset() is not None else at.replace(tzinfo=UTC)).timestamp()
