"""The solution of an exercise as a module of the trusted process, with the building blocks of its course."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType

from grader.errors import CourseError
from grader.model.course import Course, Exercise


def reference_module(course: Course, exercise: Exercise) -> ModuleType:
    """The exercise's solution, imported in this trusted process with the course's building blocks.

    Raises:
        CourseError: it cannot be imported.
    """
    try:
        if "previous_chapters" not in sys.modules and course.building_blocks.is_file():
            _import("previous_chapters", course.building_blocks)
        return _import(f"solution_of_{exercise.name}", exercise.solution)
    except Exception as error:
        raise CourseError(f"{exercise.solution} cannot be imported: {type(error).__name__}: {error}.") from error


def _import(name: str, path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def forget(course: Course) -> None:
    """Remove the course's modules, so that the next submission, perhaps of another course, is judged by its own."""
    for name, module in list(sys.modules.items()):
        if (getattr(module, "__file__", None) or "").startswith(course.root + os.sep):
            del sys.modules[name]
