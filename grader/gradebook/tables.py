"""The tables of a gradebook as typed rows, JSON by msgspec. The rules of what may replace what are in `gradebook`."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from typing import Any, NamedTuple

import msgspec

from grader.model.class_handed_in import Introduced
from grader.model.deadline import Arrival
from grader.model.override import Override
from grader.model.record import Record, SubmissionRecord


class Row(NamedTuple):
    """An attempt: what was handed in, and by which course's record it counts."""

    number: int
    digest: str
    course: str
    arrival: Arrival
    submission: SubmissionRecord


class Entry(msgspec.Struct, frozen=True):
    """A line of the audit trail: who did what when."""

    at: datetime
    by: str
    action: str
    student: str
    details: dict[str, Any]


class Tables:
    """Reads and writes rows; whoever calls opens the transactions."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def people(self) -> list[tuple[str, Introduced]]:
        """All who are known, by id."""
        rows = self._all("SELECT student, facts FROM people ORDER BY student")
        return [(student, msgspec.json.decode(facts, type=Introduced)) for student, facts in rows]

    def write_person(self, student: str, known: Introduced) -> None:
        """In place of what was known of them."""
        self._do("INSERT OR REPLACE INTO people (student, facts) VALUES (?,?)", student, msgspec.json.encode(known))

    def students(self) -> list[str]:
        """The ids of all who handed in, in their order."""
        return [row[0] for row in self._all("SELECT DISTINCT student FROM attempts ORDER BY student")]

    def courses(self) -> set[str]:
        """The digests of the courses by which attempts count."""
        return {row[0] for row in self._all("SELECT DISTINCT course FROM attempts")}

    def attempts(self, student: str) -> list[Row]:
        """All attempts of a student by number."""
        columns = "number, digest, course, submitted_at, late, late_seconds, submission"
        rows = self._all(f"SELECT {columns} FROM attempts WHERE student = ? ORDER BY number", student)
        return [
            Row(
                number,
                digest,
                course,
                _arrival(student, *facts),
                msgspec.json.decode(submission, type=SubmissionRecord),
            )
            for number, digest, course, *facts, submission in rows
        ]

    def write_attempt(self, row: Row) -> None:
        """In place of the one with that number, if there is one."""
        number, digest, course, arrival, submission = row
        at = arrival.submitted_at.isoformat() if arrival.submitted_at else None
        self._do(
            "INSERT OR REPLACE INTO attempts "
            "(student, number, digest, course, submitted_at, late, late_seconds, submission) VALUES (?,?,?,?,?,?,?,?)",
            *(arrival.student, number, digest, course, at, arrival.late, arrival.late_seconds),
            msgspec.json.encode(submission),
        )

    def record(self, digest: str, course: str) -> Record | None:
        """None also for one that this grader cannot read: then it is graded again."""
        rows = self._all("SELECT record FROM records WHERE digest = ? AND course = ?", digest, course)
        try:
            return msgspec.json.decode(rows[0][0], type=Record) if rows else None
        except (msgspec.MsgspecError, UnicodeDecodeError):
            return None

    def write_record(self, record: Record) -> None:
        """In place of the one of the same submission and course, if there is one."""
        self._do(
            "INSERT INTO records (digest, course, points, max_points, record) VALUES (?,?,?,?,?) "
            "ON CONFLICT (digest, course) DO UPDATE SET points = excluded.points, max_points = excluded.max_points, "
            "record = excluded.record",
            *(record.submission.digest, record.course.digest, record.points, record.max_points),
            msgspec.json.encode(record),
        )

    def overrides(self, student: str) -> tuple[Override, ...]:
        """All that were ever given to a student, oldest first."""
        columns = 'exercise, "check", points, reason, "by", at'
        rows = self._all(f"SELECT {columns} FROM overrides WHERE student = ? ORDER BY id", student)
        return tuple(
            Override(student, exercise, check, points, reason, by, datetime.fromisoformat(at))
            for exercise, check, points, reason, by, at in rows
        )

    def add_override(self, one: Override) -> None:
        """Beside the earlier ones."""
        self._do(
            'INSERT INTO overrides (student, exercise, "check", points, reason, "by", at) VALUES (?,?,?,?,?,?,?)',
            *(one.student, one.exercise, one.check, one.points, one.reason, one.by, one.at.isoformat()),
        )

    def audit(self, student: str) -> tuple[Entry, ...]:
        """What was done about a student, oldest first."""
        rows = self._all('SELECT at, "by", action, details FROM audit WHERE student = ? ORDER BY id', student)
        return tuple(
            Entry(datetime.fromisoformat(at), by, action, student, msgspec.json.decode(details))
            for at, by, action, details in rows
        )

    def add_entry(self, by: str, action: str, student: str, details: dict[str, Any]) -> None:
        """A line of the audit trail, with the time of now."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        self._do(
            'INSERT INTO audit (at, "by", action, student, details) VALUES (?,?,?,?,?)',
            *(now, by, action, student, msgspec.json.encode(details).decode()),
        )

    def _do(self, statement: str, *values: object) -> None:
        self._connection.execute(statement, values).close()

    def _all(self, query: str, *values: object) -> list[Any]:
        with closing(self._connection.execute(query, values)) as cursor:
            return cursor.fetchall()


def _arrival(student: str, at: str | None, late: int | None, late_seconds: float | None) -> Arrival:
    marked = None if late is None else bool(late)
    return Arrival(student, datetime.fromisoformat(at) if at else None, marked, late_seconds)
