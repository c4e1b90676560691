"""The code that the students of a course are given."""

from __future__ import annotations

from grader.authoring.stub import make_stub
from grader.model.course import Course


def starter_code(course: Course) -> tuple[str, ...]:
    """The stub of each exercise, and the building blocks.

    Raises:
        CourseError: a solution has no valid markers.
    """
    stubs = [make_stub(one.solution.read_text(encoding="utf-8"), str(one.solution)) for one in course.exercises]
    blocks = course.building_blocks
    return (*stubs, *([blocks.read_text(encoding="utf-8")] if blocks.is_file() else []))
