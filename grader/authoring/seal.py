"""A course as one file for places that students can read: `grader.sealed` says what stands in it."""

from __future__ import annotations

import msgspec

from grader.authoring.packs.visible import NothingVisible, VisibleCourse, visible_course
from grader.authoring.private import refuse_private
from grader.errors import CourseError
from grader.model.course import Course
from grader.quiz import quiz_of
from grader.sealed import Sealed, encrypted, key_id

_NOTHING = VisibleCourse({}, 0, 0, ("No check says `visible=True`, so nothing runs without the key.",))


def seal(course: Course, key: str) -> tuple[bytes, tuple[str, ...]]:
    """The bytes of the file, and sentences on what of it cannot be read without the key, though it might seem so.

    Mistakes and rewrites are not in it: they prove checks, and grading needs none.

    Raises:
        UsageError: this is no key.
        CourseError: a file is no Python, or something private would be readable without the key.
    """
    files = course.contents()
    for name, data in files.items():
        if name.endswith(".py"):
            _require_python(data, course.shown(name))
    try:
        shown = visible_course(course)
    except NothingVisible:
        shown = _NOTHING
    refuse_private(shown.files, course, course.exercises)
    questions = len(quiz_of(course, course.quiz).questions) if course.quiz else 0
    sealed = Sealed(
        name=course.name,
        digest=course.digest,
        held_back=shown.checks - shown.shown + questions,
        visible={name: data.decode() for name, data in shown.files.items()},
        key_id=key_id(key),
        sealed=encrypted(files, key),
    )
    return msgspec.json.encode(sealed) + b"\n", shown.notes


def _require_python(data: bytes, shown: str) -> None:
    """Later nobody is told what is wrong with it, since whoever reads that may be a student."""
    try:
        compile(data, shown, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        raise CourseError(f"{shown} is no Python: {error}.") from None
