"""A gradebook as the records that pages are made of: each student by name, the attempt that counts as the latest."""

from __future__ import annotations

import unicodedata
from collections import Counter as Multiset
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from grader.gradebook.book import Gradebook
from grader.model.class_handed_in import Introduced
from grader.model.deadline import Deadline, Lateness
from grader.model.grades import Counting

MAGIC = b"SQLite format 3\0"


class Shown(NamedTuple):
    """Records by student and attempt as plain data; by the name of each student the id, and what lateness leaves.

    Points changed by hand are in the record that counts.
    """

    records: tuple[tuple[str, dict[str, Any]], ...]
    students: dict[str, tuple[str, Lateness | None]]


def is_gradebook(path: Path) -> bool:
    """Whether it is a file of SQLite; which one, is seen when it is opened."""
    try:
        with path.open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def shown(book: Gradebook, deadline: Deadline | None = None, counting: Counting = "on_time") -> Shown:
    """What the pages of a class show. Attempts after the one that counts are left out."""
    called = names(book.people())
    records: list[tuple[str, dict[str, Any]]] = []
    students: dict[str, tuple[str, Lateness | None]] = {}
    for grade in book.grades(deadline, counting):
        name = called.get(grade.student, grade.student)
        students[name] = grade.student, grade.late
        for one in book.history(grade.student).attempts:
            if one.number <= grade.number:
                record = grade.record if one.number == grade.number else one.record
                submission = msgspec.structs.replace(record.submission, student=name)
                plain = msgspec.to_builtins(msgspec.structs.replace(record, submission=submission))
                records.append((f"{name}, attempt {one.number}", plain))
    return Shown(tuple(records), students)


def names(people: Mapping[str, Introduced]) -> dict[str, str]:
    """How to call each student: by name, with the id where two would be called the same."""
    called = {key: _called(known) or key for key, known in people.items()}
    often = Multiset(called.values())
    return {key: f"{name} ({key})" if often[name] > 1 or name.endswith(")") else name for key, name in called.items()}


def _called(known: Introduced) -> str:
    """As the pages write names: in one form, with single spaces."""
    name = " and ".join(one.name or one.id for one in known.people)
    return unicodedata.normalize("NFC", " ".join(name.split()))
