"""Points changed by hand, from a file: whose they are, which rows cannot be taken, and the records with them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from grader.model.override import Override
    from grader.model.record import Record
    from reports.classroom.roster import Student


class Taken(NamedTuple):
    """Each override with its student, as read from a file, and a sentence for each row that is left out."""

    overrides: tuple[tuple[Student, Override], ...] = ()
    problems: tuple[str, ...] = ()


def read(text: str, students: Sequence[Student]) -> Taken:
    """The rows of a CSV file. A student is called as in the records, by the id of a gradebook, or by the code."""
    from grader.model.override import fault
    from grader.model.override_file import read_rows

    called = dict(_called(students))
    overrides, problems = [], []
    for row in read_rows(text):
        problem, student = row.problem, None
        if row.override is not None:
            student = called.get(row.override.student)
            problem = f"no record is of a student “{row.override.student[:60]}”"
            if student is not None:
                problem = fault(row.override, _record(student))
        if problem:
            problems.append(f"row {row.number}: {problem}")
        elif row.override is not None and student is not None:
            overrides.append((student, row.override))
    return Taken(tuple(overrides), tuple(problems))


def put_in(taken: Taken, students: Sequence[Student]) -> tuple[Student, ...]:
    """The students with these points in the attempts that count; nothing on disk is changed."""
    import msgspec

    from grader.model.override import with_overrides

    theirs: dict[str, list[Override]] = {}
    for student, override in taken.overrides:
        theirs.setdefault(student.name, []).append(override)

    def changed(student: Student) -> Student:
        if student.name not in theirs:
            return student
        record = with_overrides(_record(student), theirs[student.name]).record
        return replace(student, attempts=(*student.attempts[:-1], msgspec.to_builtins(record)))

    return tuple(changed(student) for student in students)


def _record(student: Student) -> Record:
    import msgspec

    from grader.model.record import Record

    return msgspec.convert(student.latest, Record)


def _called(students: Sequence[Student]) -> Iterator[tuple[str, Student]]:
    """What a student may be called, the surest last: it counts where two are called the same."""
    from reports.text import csv_cell

    yield from ((student.code, student) for student in students)
    yield from ((csv_cell(student.name), student) for student in students)
    yield from ((student.name, student) for student in students)
    yield from ((student.known.id, student) for student in students if student.known.id)
