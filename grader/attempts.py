"""Which attempt this is: what was graded into the same folder before, as far as it was the same place's submission."""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec

from grader.model.record import PreviousRecord, Record

MARK = ".attempt-of"  # beside grade.json: the digest of the path that was graded
MOST_ATTEMPTS, MOST_BYTES = 100_000, 64 << 20


def mark_of(path: Path) -> bytes:
    """What tells one path from another, and nobody its name."""
    return hashlib.sha256(str(path.resolve()).encode(errors="replace")).hexdigest().encode() + b"\n"


def continued(record: Record, path: Path, out: Path) -> Record:
    """`record` as the attempt after the one whose grade.json lies in `out`; what was not changed is no new attempt.

    A record of another path, student, course or set of exercises counts as none, like one that cannot be read. That an
    optional exercise was begun in between changes nothing.
    """
    try:
        if _read(out / MARK) != mark_of(path):
            return record
        before = msgspec.json.decode(_read(out / "grade.json"), type=Record)
    except (OSError, ValueError, msgspec.MsgspecError):
        return record
    if _what(before) != _what(record) or not 0 < before.submission.attempt < MOST_ATTEMPTS:
        return record
    old = before.submission
    attempt: int = old.attempt + 1
    previous: PreviousRecord | None = PreviousRecord(old.attempt, before.points, before.max_points)
    if old.digest == record.submission.digest:
        attempt, previous = old.attempt, old.previous
    return msgspec.structs.replace(
        record, submission=msgspec.structs.replace(record.submission, attempt=attempt, previous=previous)
    )


def _read(path: Path) -> bytes:
    """A plain file of ours and nothing else, up to a bound."""
    if path.is_symlink() or not path.is_file():
        raise OSError(f"{path} is no file")
    with path.open("rb") as file:
        return file.read(MOST_BYTES)


def _what(record: Record) -> tuple[object, ...]:
    required = [exercise.name for exercise in record.exercises if not exercise.optional]
    return record.submission.student, record.course.name, required or [one.name for one in record.exercises]
