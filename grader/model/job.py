"""What the command asks of a judge, and what the judge answers: plain JSON between two trusted processes."""

from __future__ import annotations

import msgspec

from grader.model.confinement import Confinement
from grader.model.course import Course, Exercise
from grader.model.results import ExerciseResult
from grader.model.submission import Submission


class Job(msgspec.Struct, frozen=True, tag="job"):
    """Judge this submission by this course. `early`: checks for after the deadline are left out.

    `for_page`: what decides on no verdict is found, too: the lines of mistakes, the steps of a forward pass.
    """

    course: Course
    submission: Submission
    early: bool = False
    for_page: bool = True

    @property
    def exercises(self) -> tuple[Exercise, ...]:
        """Those that the submission has works for."""
        found = (self.course.exercise(work.exercise) for work in self.submission.works)
        return tuple(exercise for exercise in found if exercise is not None)


class Progress(msgspec.Struct, frozen=True, tag="progress"):
    """One more check has ended."""

    exercise: str
    check: str
    done: int
    total: int


class Finished(msgspec.Struct, frozen=True, tag="finished"):
    """All checks have ended; versions and confinement as they were in force."""

    results: tuple[ExerciseResult, ...]
    confinement: Confinement
    python: str
    torch: str


class Broken(msgspec.Struct, frozen=True, tag="broken"):
    """It could not be judged, through no fault of the student: a sentence, and details for `--debug`."""

    message: str
    details: str = ""


Answer = Progress | Finished | Broken
