"""`checks.py` of an exercise as pytest sees it: read by way of the course, which may be nowhere on disk."""

from __future__ import annotations

import traceback
from types import ModuleType
from typing import Self

import pytest

from grader.checks.reference import module_of
from grader.model.course import Course, Exercise


class CheckFile(pytest.Module):
    """One file of checks. `path` is where it lies, or would lie."""

    course: Course
    exercise: Exercise

    @classmethod
    def of(cls, session: pytest.Session, course: Course, exercise: Exercise) -> Self:
        """The checks of this exercise."""
        file = cls.from_parent(session, path=exercise.checks, nodeid=f"{exercise.name}/checks.py")
        file.course, file.exercise = course, exercise
        return file

    def _getobj(self) -> ModuleType:
        try:
            return module_of(self.course, f"{self.exercise.name}/checks.py", f"checks_of_{self.exercise.name}")
        except Exception as error:
            if not self.course.sealed:
                raise
            # The text of an error, or the line beside it, may say what a hidden check does.
            line = traceback.extract_tb(error.__traceback__)[-1].lineno
            raise self.CollectError(f"{type(error).__name__}, near line {line}.") from None
