"""A course's desk in one process: what was handed in is read by a kept parser and judged by a kept judge."""

from __future__ import annotations

import time
from contextlib import ExitStack
from datetime import UTC, datetime
from typing import Self

from grader.errors import IntakeError, SandboxError
from grader.intake import accept_contents
from grader.intake.contents import Contents, shortened
from grader.intake.parsing import Parsers
from grader.judges import Judges
from grader.model.course import Course
from grader.model.job import Job
from grader.model.record import Record
from grader.model.submission import Problem, Skipped, Submission, Work
from grader.pipeline import keep_out_of_reach, timing, to_record
from grader.sandbox.launch import Launcher, launcher

_AGAIN = "Pack your exercises as an ordinary folder or zip, and hand them in again."


class Workshop:
    """Grades for one course. `record` may be called from several threads: each call has a judge of its own.

    Where programs of strangers are not confined well enough for grades that count, nothing is graded unless
    `unconfined` is said.
    """

    def __init__(self, course: Course, started: Launcher | None = None, *, unconfined: bool = False) -> None:
        keep_out_of_reach(course)
        self.course = course
        self._unconfined = unconfined
        self._open = ExitStack()
        self._parsers = self._open.enter_context(Parsers())
        self._judges = Judges(started or self._open.enter_context(launcher()))
        self._open.enter_context(self._judges)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End what was started; what is still at work is lost."""
        self._open.close()

    def record(self, contents: Contents | str, student: str = "", digest: str = "") -> Record:
        """What is found in these files; a sentence in their place says why they cannot be read: no points.

        Raises:
            CourseError, SandboxError: it could not be judged, through no fault of the student.
        """
        started, begun = datetime.now(UTC), time.monotonic()
        submission = self._accepted(contents, student, digest)
        job, accepted = Job(self.course, submission), time.monotonic()
        try:
            finished = self._judges.judge(job)
        except SandboxError:  # a judge may die of what lies outside, memory for example: once more, by another
            finished = self._judges.judge(job)
        if finished.confinement.level == "practice" and not self._unconfined:
            raise SandboxError(
                f"{finished.confinement.shortfall()} Grades made here would not count: see `grade doctor`, or say "
                "--unconfined."
            )
        seconds = {"intake": accepted - begun, "checks": time.monotonic() - accepted}
        return to_record(self.course, submission, finished, timing(finished, started, seconds))

    def _accepted(self, contents: Contents | str, student: str, digest: str) -> Submission:
        skipped: tuple[Skipped, ...] = ()
        why = contents
        if isinstance(contents, Contents):
            try:
                return accept_contents(contents, self.course, student=student, parsers=self._parsers)
            except IntakeError as error:
                why, digest, skipped = str(error), digest or contents.digest(), tuple(contents.skipped)
        problem = Problem("unreadable", str(why), _AGAIN)
        works = tuple(Work(name, None, problem) for name in self.course.required)
        return Submission(student, digest, works, (), shortened(skipped))
