"""The gradebook: what was handed in, what was found, what a person changed, and who did what when.

One transaction per finished submission, so a process may be killed at any moment: each submission is stored whole or
not at all. Records are kept under what was judged and by what (digests of submission and course), so what is known
is not graded twice. A grade is reckoned when it is asked for: record, then overrides, then lateness.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Self

import msgspec

from grader.errors import GradebookError, UsageError
from grader.gradebook.file import connect, told, transaction
from grader.gradebook.tables import Entry, Row, Tables
from grader.model.class_handed_in import Introduced
from grader.model.deadline import Arrival, Deadline
from grader.model.grades import Attempt, Counting, Grade, Graded, counting_grades, in_order, owed
from grader.model.override import Override
from grader.model.record import PreviousRecord, Record, SubmissionRecord

Outcome = Literal["new", "changed", "unchanged", "kept"]


class Stored(msgspec.Struct, frozen=True):
    """Under which number an attempt was stored. "kept": the earlier record stands, a check of the new one is owed."""

    number: int
    outcome: Outcome


class History(msgspec.Struct, frozen=True):
    """All that is known of a student, oldest first; of several overrides of a check the last counts."""

    attempts: tuple[Graded, ...]
    overrides: tuple[Override, ...]
    audit: tuple[Entry, ...]


def open_gradebook(path: Path, *, by: str = "", create: bool = True) -> Gradebook:
    """Open the gradebook, or make it; `by` is who stores, for the audit trail.

    Raises:
        GradebookError: it does not exist and is not to be made, is not ours, is newer, or cannot be opened.
    """
    connection, notes = connect(path, create=create)
    return Gradebook(connection, path, by, notes)


class Gradebook:
    """An open gradebook, for one thread. Every method raises GradebookError when the file cannot be read or written.

    `notes` are sentences for the person at the terminal.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path, by: str, notes: tuple[str, ...]) -> None:
        self._connection, self._path, self._by = connection, path, by
        self._tables = Tables(connection)
        self.notes = notes

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Leave the file; what was stored is in it."""
        self._connection.close()

    def known(self, digest: str, course_digest: str) -> Record | None:
        """What this course found in this submission, by whomever it was handed in; None while a check of it is owed.

        Its `submission` names no student: put that of the hand-in at hand in its place, then `store` it.
        """
        with told(self._path):
            record = self._tables.record(digest, course_digest)
        return None if record is None or owed(record) else record

    def store(self, attempt: Attempt, record: Record) -> Stored:
        """Keep a finished submission. A check that could not be carried out never takes a grade's place.

        An attempt is one that is stored already if it has the same files, and the same time or (where a time is not
        known) the same number. One with other files than the attempt of its number gets the next number, and is found
        under that when it is stored again.
        """
        with told(self._path), transaction(self._connection):
            stored = self._store_attempt(attempt, record, self._store_record(record))
            if stored.outcome != "unchanged":
                what: dict[str, Any] = {"number": stored.number, "outcome": stored.outcome, "points": record.points}
                what |= {"digest": record.submission.digest, "course": record.course.digest}
                self._tables.add_entry(self._by, "store", attempt.arrival.student, what)
        return stored

    def introduce(self, people: Mapping[str, Introduced]) -> None:
        """Who is who, by id, also those who handed nothing in."""
        with told(self._path), transaction(self._connection):
            for student, known in people.items():
                self._tables.write_person(student, known)

    def people(self) -> dict[str, Introduced]:
        """Everybody who was introduced."""
        with told(self._path):
            return dict(self._tables.people())

    def courses(self) -> set[str]:
        """By which courses (their digests) the attempts were graded."""
        with told(self._path):
            return self._tables.courses()

    def override(self, override: Override) -> bool:
        """Give points in place of those of a check, from now on and in every attempt. False: that is in force already.

        Raises:
            UsageError: there is no such student, or no attempt of theirs has such a check.
        """
        with told(self._path), transaction(self._connection):
            attempts = self._attempts(override.student)
            if not attempts:
                raise UsageError(f"The gradebook has no attempt of {override.student!r}. Check the student's id.")
            checks = set().union(*(_checks(graded.record) for graded in attempts))
            if (override.exercise, override.check) not in checks:
                there = ", ".join(f"{exercise}.{check}" for exercise, check in sorted(checks))
                raise UsageError(f"There is no check {override.exercise}.{override.check}. There are {there}.")
            if _in_force(override, self._tables.overrides(override.student)):
                return False
            self._tables.add_override(override)
            what = {key: getattr(override, key) for key in ("exercise", "check", "points", "reason")}
            self._tables.add_entry(override.by, "override", override.student, what)
        return True

    def students(self) -> list[str]:
        """The ids of all who handed in."""
        with told(self._path):
            return self._tables.students()

    def grades(self, deadline: Deadline | None = None, counting: Counting = "on_time") -> Iterator[Grade]:
        """What counts for each student, by id; one student is read at a time. See `counting_grades`."""
        for student in self.students():
            history = self.history(student)
            last = {(one.exercise, one.check): one for one in history.overrides}
            valid = [one for one in last.values() if one.points is not None]
            yield from counting_grades(history.attempts, valid, deadline, counting)

    def history(self, student: str) -> History:
        """All that is known of a student, as it was at one moment; empty for one whom we do not know."""
        with told(self._path), transaction(self._connection, "DEFERRED"):
            return History(self._attempts(student), self._tables.overrides(student), self._tables.audit(student))

    def _attempts(self, student: str) -> tuple[Graded, ...]:
        """Oldest first, each record with its own submission and what came before it."""
        graded, before = [], None
        for one in in_order([self._graded(row) for row in self._tables.attempts(student)]):
            submission = msgspec.structs.replace(one.record.submission, attempt=one.number, previous=before)
            record = msgspec.structs.replace(one.record, submission=submission)
            graded.append(msgspec.structs.replace(one, record=record))
            before = PreviousRecord(one.number, record.points, record.max_points)
        return tuple(graded)

    def _graded(self, row: Row) -> Graded:
        record = self._tables.record(row.digest, row.course)
        if record is None:
            raise GradebookError(
                f"The gradebook {self._path} has a record of {row.arrival.student!r} that this grader cannot read. "
                "Grade the submission again."
            )
        return Graded(row.number, row.arrival, msgspec.structs.replace(record, submission=row.submission))

    def _store_record(self, record: Record) -> Outcome:
        """Without its student: the same files may be handed in by several."""
        shared = msgspec.structs.replace(_alone(record.submission), student="", skipped=())
        bare = msgspec.structs.replace(record, submission=shared)
        known = self._tables.record(record.submission.digest, record.course.digest)
        if known is not None:
            if owed(bare) - owed(known) or _exercises(known) - _exercises(bare):
                return "kept"
            if msgspec.structs.replace(known, timing=bare.timing) == bare:
                return "unchanged"
        self._tables.write_record(bare)
        return "new" if known is None else "changed"

    def _store_attempt(self, attempt: Attempt, record: Record, outcome: Outcome) -> Stored:
        digest, course = record.submission.digest, record.course.digest
        new = Row(attempt.number or 0, digest, course, attempt.arrival, _alone(record.submission))
        rows = self._tables.attempts(new.arrival.student)
        old = _same(rows, new)
        if old is None:
            taken = {row.number for row in rows}
            number = new.number if new.number and new.number not in taken else max(taken, default=0) + 1
            self._tables.write_attempt(new._replace(number=number))
            return Stored(number, "kept" if outcome == "kept" else "new")
        new = new._replace(number=old.number, arrival=_merged(old.arrival, new.arrival))
        if old.course != new.course:
            before, after = self._tables.record(digest, old.course), self._tables.record(digest, new.course)
            failed = before is not None and after is not None and owed(after) - owed(before)
            new, outcome = (new._replace(course=old.course), "kept") if failed else (new, "changed")
        if new != old:
            self._tables.write_attempt(new)
            outcome = "changed" if outcome == "unchanged" else outcome
        return Stored(new.number, outcome)


def _same(rows: Sequence[Row], new: Row) -> Row | None:
    """The stored attempt that this one is."""
    alike, at = [row for row in rows if row.digest == new.digest], new.arrival.submitted_at
    if at is not None and (timed := [row for row in alike if row.arrival.submitted_at == at]):
        return timed[-1]
    alike = [row for row in alike if at is None or row.arrival.submitted_at is None]
    there = [row for row in rows if row.number == new.number] if new.number else rows[-1:]
    if new.number and there and there[0] not in alike:  # that number was given away by an earlier download
        there = alike[-1:]
    return next((row for row in there if row in alike), None)


def _in_force(new: Override, given: Sequence[Override]) -> bool:
    """Whether the last one for the check says the same."""
    last = [one for one in given if (one.exercise, one.check) == (new.exercise, new.check)][-1:]
    return any((one.points, one.reason, one.by) == (new.points, new.reason, new.by) for one in last)


def _merged(old: Arrival, new: Arrival) -> Arrival:
    """What is told now counts; what is not told now and was told before stays."""
    known = {key: value for key, value in msgspec.structs.asdict(new).items() if value is not None}
    return msgspec.structs.replace(old, **known)


def _alone(submission: SubmissionRecord) -> SubmissionRecord:
    """As if there were no other attempt: which it is, is told when it is read."""
    return msgspec.structs.replace(submission, attempt=1, previous=None)


def _checks(record: Record) -> set[tuple[str, str]]:
    return {(exercise.name, check.name) for exercise in record.exercises for check in exercise.checks}


def _exercises(record: Record) -> set[str]:
    return {exercise.name for exercise in record.exercises}
