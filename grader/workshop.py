"""Judges that are kept at work: many submissions in one process, each by a free judge, with torch imported once."""

from __future__ import annotations

import threading
import time
from contextlib import ExitStack
from datetime import UTC, datetime
from queue import Empty, SimpleQueue
from typing import Self

from grader.errors import IntakeError, SandboxError
from grader.intake import accept_contents
from grader.intake.contents import Contents, shortened
from grader.model.course import Course
from grader.model.job import Finished, Job
from grader.model.record import Record
from grader.model.submission import Problem, Skipped, Submission, Work
from grader.pipeline import JUDGE, judge, keep_out_of_reach, timing, to_record
from grader.sandbox.launch import Launcher, Line, launcher

MOST_JOBS = 200  # of one judge; then a fresh one takes its place
_AGAIN = "Pack your exercises as an ordinary folder or zip, and hand them in again."


class _Post:
    """A judge and how much it has done."""

    def __init__(self, started: Launcher) -> None:
        self._open = ExitStack()
        self.line: Line = self._open.enter_context(started.judge(JUDGE))
        self.jobs = 0

    def close(self) -> None:
        self._open.close()


class Workshop:
    """Grades for one course. `record` may be called from several threads: each call has a judge of its own.

    Where programs of strangers are not confined well enough for grades that count, nothing is graded unless
    `unconfined` is said.
    """

    def __init__(self, course: Course, started: Launcher | None = None, *, unconfined: bool = False) -> None:
        keep_out_of_reach(course)
        self.course = course
        self._unconfined, self._closed = unconfined, False
        self._open = ExitStack()
        self._launcher = started or self._open.enter_context(launcher())
        self._free: SimpleQueue[_Post] = SimpleQueue()
        self._opening = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the judges; what they were at is lost."""
        self._closed = True
        with self._open:
            while True:
                try:
                    self._free.get_nowait().close()
                except Empty:
                    return

    def record(self, contents: Contents | str, student: str = "", digest: str = "") -> Record:
        """What is found in these files; a sentence in their place says why they cannot be read: no points.

        Raises:
            CourseError, SandboxError: it could not be judged, through no fault of the student.
        """
        started, begun = datetime.now(UTC), time.monotonic()
        submission = self._accepted(contents, student, digest)
        accepted = time.monotonic()
        try:
            finished = self._judged(submission)
        except SandboxError:  # a judge may die of what lies outside, memory for example: once more, by another
            finished = self._judged(submission)
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
                return accept_contents(contents, self.course, student=student)
            except IntakeError as error:
                why, digest, skipped = str(error), digest or contents.digest(), tuple(contents.skipped)
        problem = Problem("unreadable", str(why), _AGAIN)
        works = tuple(Work(exercise.name, None, problem) for exercise in self.course.exercises)
        return Submission(student, digest, works, (), shortened(skipped))

    def _judged(self, submission: Submission) -> Finished:
        post = self._post()
        try:
            finished = judge(post.line, Job(self.course, submission), lambda _: None)
        except BaseException:
            post.close()
            raise
        post.jobs += 1
        if post.jobs < MOST_JOBS:
            self._free.put(post)
        else:
            post.close()
        return finished

    def _post(self) -> _Post:
        if self._closed:
            raise SandboxError("The grader was stopped.")
        try:
            return self._free.get_nowait()
        except Empty:
            with self._opening:
                return _Post(self._launcher)
