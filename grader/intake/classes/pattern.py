"""A regular expression with nbgrader's group names says whose a file is. Its words: `plugins/zipcollect.py`."""

from __future__ import annotations

import re

from grader.errors import UsageError
from grader.intake import names
from grader.intake.classes.layout import Place
from grader.intake.classes.times import from_stamp
from grader.model.class_handed_in import Person

_STUDENT, _FILES = "student_id", ("file_id", "notebook_id")
_OPTIONAL = ("first_name", "last_name", "email", "timestamp")


class Pattern:
    """Matched from the start of the whole path, as nbgrader does.

    Raises:
        UsageError: it is no regular expression, or lacks a group that must be there.
    """

    name = "pattern"
    flat = False
    notes: tuple[str, ...] = ()

    def __init__(self, pattern: str) -> None:
        try:
            self._pattern = re.compile(pattern)
        except (re.error, RecursionError, OverflowError) as error:
            raise UsageError(f"The pattern {names.quoted(pattern)} is no regular expression: {error}.") from None
        groups = self._pattern.groupindex
        if _STUDENT not in groups or not any(name in groups for name in _FILES):
            raise UsageError(
                f"The pattern {names.quoted(pattern)} needs the groups (?P<student_id>…) and (?P<file_id>…); "
                f"it may have {names.listed(list(_OPTIONAL), most=4)}."
            )

    def place(self, path: str) -> Place | None:
        """See `Layout`."""
        match = self._pattern.match(path)
        said = {name: value for name, value in match.groupdict().items() if value} if match else {}
        file = next((said[name] for name in _FILES if name in said), "")
        if path.endswith("/") or _STUDENT not in said or not file:
            return None
        if not names.suffix(file):
            file += names.suffix(path)
        student, time = said[_STUDENT], said.get("timestamp", "")
        name = " ".join(said[part] for part in ("first_name", "last_name") if part in said)
        person = Person(id=student, name=name, email=said.get("email", ""))
        return Place(student, (person,), file, attempt=time, submitted=from_stamp(time))

    def ignores(self, path: str) -> bool:
        """See `Layout`."""
        return False
