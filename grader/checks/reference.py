"""Files of a course as modules of the trusted process: the solution of an exercise, and the building blocks."""

from __future__ import annotations

import os
import sys
from types import ModuleType

from grader.errors import CourseError
from grader.model.course import BUILDING_BLOCKS, Course, Exercise


def reference_module(course: Course, exercise: Exercise) -> ModuleType:
    """The exercise's solution, imported in this trusted process with the course's building blocks.

    Raises:
        CourseError: it cannot be imported.
    """
    blocks, file = BUILDING_BLOCKS.removesuffix(".py"), f"{exercise.name}/solution.py"
    try:
        if blocks not in sys.modules and course.read(BUILDING_BLOCKS) is not None:
            module_of(course, BUILDING_BLOCKS, blocks)
        return module_of(course, file, f"solution_of_{exercise.name}")
    except Exception as error:
        words = type(error).__name__ if course.sealed else f"{type(error).__name__}: {error}"
        raise CourseError(f"{course.shown(file)} cannot be imported: {words}.") from error


def module_of(course: Course, file: str, name: str) -> ModuleType:
    """A file of the course, run as a module. A course that is in memory stays there: nothing is compiled to disk."""
    data = course.read(file)
    if data is None:
        raise CourseError(f"{course.shown(file)} is missing.")
    module = ModuleType(name)
    module.__file__ = course.shown(file)
    sys.modules[name] = module
    exec(compile(data, module.__file__, "exec", dont_inherit=True), module.__dict__)
    return module


def forget(course: Course) -> None:
    """Remove the course's modules, so that the next submission, perhaps of another course, is judged by its own."""
    for name, module in list(sys.modules.items()):
        if (getattr(module, "__file__", None) or "").startswith(course.root + os.sep):
            del sys.modules[name]
