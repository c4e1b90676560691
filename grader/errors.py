"""What can go wrong that is not the student's doing.

    GradeError                 a sentence for the person at the terminal, and an exit code
    ├── UsageError     (2)     the call is wrong: a path that does not exist, an unknown exercise
    ├── IntakeError    (2)     nothing in the path can be read as a submission
    ├── CourseError    (3)     the author's side is broken: exercise.toml, checks.py, markers
    ├── SandboxError   (3)     our side is broken: no worker could be started, a judge died
    └── GradebookError (3)     the gradebook is not one, is newer than we are, or cannot be read or written

What a *student* does wrong is never an exception of this tree: it is a verdict (`grader.model.results.Verdict`).
Each message says what happened, where, and how to mend it. `grader.cli` turns them into text and an exit code.
"""

from __future__ import annotations


class GradeError(Exception):
    """The grader cannot go on; `str(error)` is one sentence with what, where and how to fix it."""

    exit_code = 3


class UsageError(GradeError):
    """The command was called in a way it cannot follow."""

    exit_code = 2


class IntakeError(GradeError):
    """The path cannot be read as a submission."""

    exit_code = 2


class CourseError(GradeError):
    """The course (instructors' side) is incomplete or contradicts itself."""


class SandboxError(GradeError):
    """A process of ours could not be started or ended without a word."""


class GradebookError(GradeError):
    """The gradebook cannot be read or written, or is none of ours."""
