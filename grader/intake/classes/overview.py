"""What `grade intake` shows before anything runs: what was understood, as plain data."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from grader.errors import IntakeError
from grader.intake import names
from grader.intake.classes.reading import ClassReader
from grader.intake.classes.roster import joined
from grader.intake.contents import Contents, shortened
from grader.model.class_handed_in import ClassHandedIn, Enrolled, HandIn, Row

SCHEMA = "grade/intake/v1"
_MOST_TOLD = 20


def overview(handed_in: ClassHandedIn, roster: Iterable[Enrolled] = ()) -> dict[str, Any]:
    """Everything that was understood, for a page, a terminal or JSON; each hand-in is opened once, one at a time.

    `attention` are sentences for the instructor, `notes` what need not worry anybody; `code` are the files that can be
    graded, those in archives too.
    """
    enrolled = tuple(roster)
    with ClassReader(handed_in) as reader:
        students = [_student(row, reader) for row in joined(handed_in.hand_ins, enrolled)]
    every = [attempt for student in students for attempt in student["attempts"]]
    return {
        "schema": SCHEMA,
        "path": handed_in.path,
        "layout": handed_in.layout,
        "students": students,
        "counts": {
            "students": len(students),
            "hand_ins": len(handed_in.hand_ins),
            "late": sum(bool(attempt["late"]) for attempt in every),
            "without_submission": sum(not student["attempts"] for student in students),
            "not_on_roster": sum(not student["enrolled"] for student in students) if enrolled else 0,
            "needs_attention": sum(bool(attempt["attention"]) for attempt in every),
            "junk": sum(handed_in.junk.values()),
        },
        "skipped": msgspec.to_builtins(handed_in.skipped),
        "junk": handed_in.junk,
        "notes": list(handed_in.notes),
    }


def _student(row: Row, reader: ClassReader) -> dict[str, Any]:
    return {
        "student": row.student,
        "enrolled": msgspec.to_builtins(row.enrolled),
        "attempts": [_attempt(one, reader) for one in row.hand_ins],
    }


def _attempt(hand_in: HandIn, reader: ClassReader) -> dict[str, Any]:
    try:
        contents, trouble = reader.contents(hand_in), []
    except IntakeError as error:
        contents, trouble = Contents(), [str(error)]
    if not (contents.files or trouble or hand_in.attention):
        trouble = ["There is no .py or .ipynb file in it that can be read."]
    return {
        "key": hand_in.key,
        "people": msgspec.to_builtins(hand_in.people),
        "attempt": hand_in.attempt,
        "submitted": hand_in.submitted,
        "late": hand_in.late,
        "assignment": hand_in.assignment,
        "files": list(hand_in.files),
        "code": sorted(contents.files),
        "skipped": msgspec.to_builtins(shortened(tuple(contents.skipped))),
        "notes": list(hand_in.notes),
        "attention": [*trouble, *hand_in.attention, *_not_read(contents, hand_in)],
    }


def _not_read(contents: Contents, hand_in: HandIn) -> list[str]:
    """What was passed by for a reason that somebody should know of, unless it was said already."""
    said = " ".join(hand_in.attention)
    return [
        f"{names.quoted(one.path)} was not read: {one.reason}."
        for one in shortened(tuple(contents.skipped))
        if one.reason not in names.ORDINARY_REASONS and names.quoted(one.path) not in said
    ][:_MOST_TOLD]
