"""The record, `grade/record/v1`: all that passes between `grader` and what shows, stores or exports.

Fields may be added; these stay. `docs/record.schema.json` is made from these types. Everything a student may not read
stands under `staff`; everything that differs between two runs of the same submission stands under `timing`.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from grader.model.confinement import Level
from grader.model.results import Formula, Printed, Verdict, Visibility, Where


class FileRecord(msgspec.Struct, frozen=True):
    """A file that was read."""

    path: str
    digest: str


class SkippedRecord(msgspec.Struct, frozen=True):
    """A file that was seen and not read."""

    path: str
    reason: str


class PreviousRecord(msgspec.Struct, frozen=True):
    """The attempt before this one."""

    attempt: int
    points: float
    max_points: float


class SubmissionRecord(msgspec.Struct, frozen=True):
    """Who handed in what. `previous` is None for a first attempt, and where an earlier one is not known."""

    student: str
    digest: str
    files: tuple[FileRecord, ...]
    skipped: tuple[SkippedRecord, ...]
    attempt: int = 1
    previous: PreviousRecord | None = None


class CourseRecord(msgspec.Struct, frozen=True):
    """Which checks judged it. No points of checks that did not run are in any sum.

    `held_back` of them are not here but sealed, `at_deadline` of them run after the deadline only.
    """

    name: str
    digest: str
    held_back: int = 0
    at_deadline: int = 0


class Diagnosis(msgspec.Struct, frozen=True):
    """The first thing that the student reads: what the code does, what was asked for, where, and what to do next.

    `why` says why it matters, where the kind of mistake is known.
    """

    check: str
    tag: str | None
    half: str | None
    happened: str
    expected: str
    formula: Formula | None
    where: Where | None
    next_step: str
    why: str = ""


class ByHand(msgspec.Struct, frozen=True):
    """Points that a person gave in place of the `before` that were found, and why."""

    before: float
    reason: str
    by: str = ""


class CheckRecord(msgspec.Struct, frozen=True):
    """One check, as the student may read it. `evidence` is empty for hidden checks.

    `by_hand` is never stored: it is put in with the override whenever a grade is reckoned. An `optional` one is of an
    exercise or of a part that nobody has to do.
    """

    name: str
    title: str
    concept: str
    visibility: Visibility
    verdict: Verdict
    points: float
    max_points: float
    tag: str | None
    happened: str
    expected: str
    formula: Formula | None
    where: Where | None
    hints: tuple[str, ...]
    remarks: tuple[str, ...]
    evidence: dict[str, Any]
    by_hand: ByHand | None = None
    optional: bool = False


class ExerciseRecord(msgspec.Struct, frozen=True):
    """One exercise: the sum of its checks and the first diagnosis (None for full marks).

    An `optional` one is there because the student has begun it; others may have none of that name. The checks of a
    `quiz` are its questions.
    """

    name: str
    title: str
    file: str | None
    points: float
    max_points: float
    verdict: Verdict
    diagnosis: Diagnosis | None
    checks: tuple[CheckRecord, ...]
    remarks: tuple[str, ...]
    trace: tuple[dict[str, Any], ...]
    gradients: dict[str, Any]
    printed: Printed
    optional: bool = False
    quiz: bool = False


class EnvironmentRecord(msgspec.Struct, frozen=True):
    """What the numbers depend on besides the submission.

    `confinement` lists the layers in force, `unconfined` each missing one with its reason; `confinement_level` says
    whether such grades count ("full", "enough") or are practice results ("practice").
    """

    grader: str
    python: str
    torch: str
    system: str
    confinement: tuple[str, ...]
    unconfined: dict[str, str]
    confinement_level: Level
    limits: dict[str, Any]


class Timing(msgspec.Struct, frozen=True):
    """When it ran and how long: the only part that differs between two runs of the same submission."""

    started: str
    seconds: dict[str, float]


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """All results of one submission."""

    schema: Literal["grade/record/v1"] = "grade/record/v1"
    submission: SubmissionRecord
    course: CourseRecord
    exercises: tuple[ExerciseRecord, ...]
    points: float
    max_points: float
    environment: EnvironmentRecord
    staff: dict[str, Any]
    timing: Timing


def for_student(record: Record) -> Record:
    """The same record without what only staff may read."""
    return msgspec.structs.replace(record, staff={})


def to_json(record: Record) -> bytes:
    """The record as indented UTF-8 JSON with a final line feed; the same record gives the same bytes."""
    return msgspec.json.format(msgspec.json.encode(record), indent=2) + b"\n"


def json_schema() -> dict[str, Any]:
    """The JSON Schema of the record, as published in `docs/record.schema.json`."""
    return msgspec.json.schema(Record)
