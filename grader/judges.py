"""Judges that are kept at work: many submissions, one fork server, each judged by whoever is free."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from queue import Empty, SimpleQueue
from typing import Self

from grader.errors import SandboxError
from grader.model.job import Finished, Job
from grader.pipeline import JUDGE, judge
from grader.sandbox.launch import Launcher, Line

MOST_JOBS = 200  # of one judge; then a fresh one takes its place


class _Post:
    """A judge and how much it has done."""

    def __init__(self, started: Launcher) -> None:
        self._open = ExitStack()
        self.line: Line = self._open.enter_context(started.judge(JUDGE))
        self.jobs = 0

    def close(self) -> None:
        self._open.close()


class Judges:
    """As many as there are threads that call `judge` at the same time; each is started when nobody is free."""

    def __init__(self, launcher: Launcher) -> None:
        self._launcher, self._closed = launcher, False
        self._free: SimpleQueue[_Post] = SimpleQueue()
        self._opening = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End those that are free, start no other, and keep none that is still at work."""
        self._closed = True
        while True:
            try:
                self._free.get_nowait().close()
            except Empty:
                return

    def judge(self, job: Job) -> Finished:
        """What one of them finds. A judge that ends without a result is not asked again.

        Raises:
            CourseError, SandboxError: the job could not be judged, through no fault of the submission.
        """
        post = self._post()
        try:
            finished = judge(post.line, job, lambda _: None)
        except BaseException:
            post.close()
            raise
        post.jobs += 1
        if post.jobs < MOST_JOBS and not self._closed:
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


def judge_all(jobs: Iterable[Job], launcher: Launcher, at_once: int | None = None) -> Iterator[Finished]:
    """What is found, in the order of the jobs; `at_once` of them are judged at a time (default: each usable core).

    Raises:
        CourseError, SandboxError: a job could not be judged, through no fault of the submission.
    """
    with Judges(launcher) as judges, ThreadPoolExecutor(at_once or usable_cores()) as pool:
        yield from pool.map(judges.judge, jobs)


def usable_cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
