"""An archive to hand in, with a receipt: what was in it when the student packed it, and what was found on the way.

A receipt proves nothing: it tells an instructor that the files were changed after they were packed, and no more.
"""

from __future__ import annotations

import io
import zipfile

import msgspec

from grader.intake.contents import Contents
from grader.intake.names import RECEIPT
from grader.model.record import FileRecord, Record

SCHEMA = "grade/receipt/v1"
_THEN = (1980, 1, 1, 0, 0, 0)  # the same files give the same archive


class Part(msgspec.Struct, frozen=True):
    """An exercise: which file answers it, and the points of its visible checks."""

    name: str
    file: str | None
    points: float
    max_points: float


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """What was packed."""

    schema: str = SCHEMA
    digest: str
    course: str
    files: tuple[FileRecord, ...]
    exercises: tuple[Part, ...]


def receipt_of(record: Record) -> Receipt:
    """The receipt for a submission that was just graded."""
    parts = []
    for exercise in record.exercises:
        visible = [check for check in exercise.checks if check.visibility == "visible"]
        earned, most = (
            round(sum(values), 2) for values in zip(*((c.points, c.max_points) for c in visible), strict=True)
        )
        parts.append(Part(exercise.name, exercise.file, earned, most))
    submission = record.submission
    return Receipt(digest=submission.digest, course=record.course.name, files=submission.files, exercises=tuple(parts))


def packed(contents: Contents, receipt: Receipt) -> bytes:
    """A zip with the files as they were read and the receipt."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as zipped:
        note = msgspec.json.format(msgspec.json.encode(receipt)) + b"\n"
        for path, data in (*sorted(contents.files.items()), (RECEIPT, note)):
            zipped.writestr(zipfile.ZipInfo(path, _THEN), data, zipfile.ZIP_DEFLATED)
    return archive.getvalue()


def says_otherwise(contents: Contents) -> bool:
    """Whether there is a receipt, and it is of other files."""
    if contents.receipt is None:
        return False
    try:
        return msgspec.json.decode(contents.receipt, type=Receipt).digest != contents.digest()
    except msgspec.MsgspecError:
        return True
