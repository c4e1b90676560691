"""A gradebook as the records that pages are made of: each student by name, the attempt that counts as the latest."""

from __future__ import annotations

import csv
import io
from collections import Counter as Multiset
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from grader.gradebook.book import Gradebook
from grader.model.class_handed_in import Introduced
from grader.model.deadline import Deadline
from grader.model.grades import Counting
from grader.model.override import Override

MAGIC = b"SQLite format 3\0"
COLUMNS = ("student", "exercise", "check", "points", "reason", "by")


class Shown(NamedTuple):
    """Records by student and attempt as plain data, and the points changed by hand as CSV."""

    records: tuple[tuple[str, dict[str, Any]], ...]
    overrides: str


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
    changed: list[tuple[str, Override]] = []
    for grade in book.grades(deadline, counting):
        name = called.get(grade.student, grade.student)
        history = book.history(grade.student)
        for one in history.attempts:
            if one.number <= grade.number:
                submission = msgspec.structs.replace(one.record.submission, student=name)
                plain = msgspec.to_builtins(msgspec.structs.replace(one.record, submission=submission))
                records.append((f"{name}, attempt {one.number}", plain))
        changed += [(name, applied.override) for applied in grade.overrides]
    return Shown(tuple(records), _csv(changed))


def names(people: Mapping[str, Introduced]) -> dict[str, str]:
    """How to call each student: by name, with the id where two have the same name."""
    called = {key: " and ".join(one.name or one.id for one in known.people) or key for key, known in people.items()}
    often = Multiset(called.values())
    return {key: f"{name} ({key})" if often[name] > 1 else name for key, name in called.items()}


def _csv(changed: Sequence[tuple[str, Override]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    writer.writerows(_rows(changed))
    return text.getvalue()


def _rows(changed: Sequence[tuple[str, Override]]) -> Iterator[tuple[object, ...]]:
    for name, one in changed:
        yield name, one.exercise, one.check, one.points, one.reason, one.by
