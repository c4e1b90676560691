"""Points that a person gives in place of a check's, with the reason; put into a record so that everybody sees them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import UTC, datetime

import msgspec

from grader.model.record import ByHand, CheckRecord, ExerciseRecord, Record
from grader.model.results import Verdict


class Override(msgspec.Struct, frozen=True):
    """One student's points for one check, in every attempt. `points` of None takes an earlier override back.

    Raises:
        ValueError: points that are no finite number, or no reason.
    """

    student: str
    exercise: str
    check: str
    points: float | None
    reason: str
    by: str = ""
    at: datetime = msgspec.field(default_factory=lambda: datetime.now(UTC))

    def __post_init__(self) -> None:
        if self.points is not None and not math.isfinite(self.points):
            raise ValueError(f"{self.points} is no number of points")
        if not self.reason.strip():
            raise ValueError("an override needs a reason: the student reads it")


class Applied(msgspec.Struct, frozen=True):
    """What an override changed: the points before, and those that count (from 0 to what the check is worth)."""

    override: Override
    before: float
    after: float


class Overridden(msgspec.Struct, frozen=True):
    """A record with overrides in it; `unused` are those for checks that it does not have."""

    record: Record
    applied: tuple[Applied, ...] = ()
    unused: tuple[Override, ...] = ()


def fault(override: Override, record: Record) -> str:
    """Why it cannot be meant for a submission with this record, as a sentence without its end; else nothing."""
    exercise = next((one for one in record.exercises if one.name == override.exercise), None)
    if exercise is None:
        return f"the record of {override.student[:60]} has no exercise “{override.exercise[:60]}”"
    check = next((one for one in exercise.checks if one.name == override.check), None)
    if check is None:
        return f"{override.exercise[:60]} has no check “{override.check[:60]}”"
    if override.points is not None and not 0 <= override.points <= check.max_points:
        return f"“{override.points:g}” is not a number from 0 to {check.max_points:g}"
    return ""


def with_overrides(record: Record, overrides: Sequence[Override]) -> Overridden:
    """Put each override in place of its check's points; all sums follow."""
    applied: list[Applied] = []
    unused: list[Override] = []
    for override in overrides:
        exercise = next((one for one in record.exercises if one.name == override.exercise), None)
        check = next((one for one in exercise.checks if one.name == override.check), None) if exercise else None
        if check is None or override.points is None:
            unused.append(override)
            continue
        change = Applied(override, check.points, min(max(override.points, 0.0), check.max_points))
        exercises = tuple(_exercise(one, change) if one is exercise else one for one in record.exercises)
        record = msgspec.structs.replace(record, exercises=exercises, points=_sum(exercises))
        applied.append(change)
    return Overridden(record, tuple(applied), tuple(unused))


def _exercise(exercise: ExerciseRecord, change: Applied) -> ExerciseRecord:
    checks = tuple(_check(one, change) if one.name == change.override.check else one for one in exercise.checks)
    diagnosis = exercise.diagnosis
    if diagnosis is not None and any(one.name == diagnosis.check and one.verdict == "passed" for one in checks):
        diagnosis = None
    return msgspec.structs.replace(
        exercise, checks=checks, points=_sum(checks), diagnosis=diagnosis, verdict=_verdict(exercise, checks)
    )


def _check(check: CheckRecord, change: Applied) -> CheckRecord:
    """A verdict that could not be reached is reached now, by hand."""
    verdict: Verdict = "passed" if change.after == check.max_points else "partial" if change.after else "failed"
    before = check.by_hand.before if check.by_hand else change.before
    by_hand = ByHand(before, change.override.reason, change.override.by)
    return msgspec.structs.replace(check, points=change.after, verdict=verdict, by_hand=by_hand)


def _verdict(exercise: ExerciseRecord, checks: Sequence[CheckRecord]) -> Verdict:
    verdicts = {check.verdict for check in checks}
    if verdicts == {"passed"}:
        return "passed"
    if verdicts <= {"passed", "needs_review"}:
        return "needs_review"
    return "partial" if any(check.points for check in checks) else exercise.verdict


def _sum(parts: Sequence[CheckRecord] | Sequence[ExerciseRecord]) -> float:
    return round(math.fsum(part.points for part in parts), 2)
