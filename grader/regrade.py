"""Grades by changed checks beside those that were given: who gains, who loses, and by which check."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from grader.gradebook import Gradebook
from grader.model.grades import Attempt, Graded, owed
from grader.model.record import Record


class Change(NamedTuple):
    """One attempt by both courses. `checks` are those with other points: (exercise, check) → before and after."""

    student: str
    before: Graded
    after: Graded
    checks: dict[tuple[str, str], tuple[float, float]]

    @property
    def gain(self) -> float:
        """Points more, or less where it is negative."""
        return round(self.after.record.points - self.before.record.points, 2)


def changes(old: Gradebook, new: Gradebook) -> Iterator[Change]:
    """Every attempt that both know, with all that is found otherwise now; a check that is owed now changes nothing."""
    for student in new.students():
        known = {one.record.submission.digest: one for one in old.history(student).attempts}
        for after in new.history(student).attempts:
            before = known.get(after.record.submission.digest)
            if before is not None and not owed(after.record):
                yield Change(student, before, after, _checks(before.record, after.record))


def apply(old: Gradebook, change: Change) -> None:
    """Let the attempt count by the new checks from now on."""
    old.store(Attempt(change.before.arrival, change.before.number), change.after.record)


def _checks(before: Record, after: Record) -> dict[tuple[str, str], tuple[float, float]]:
    old, new = _points(before), _points(after)
    return {
        check: (old.get(check, 0.0), new.get(check, 0.0))
        for check in sorted({*old, *new})
        if old.get(check, 0.0) != new.get(check, 0.0)
    }


def _points(record: Record) -> dict[tuple[str, str], float]:
    return {(exercise.name, check.name): check.points for exercise in record.exercises for check in exercise.checks}
