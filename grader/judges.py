"""Several judges side by side: many submissions, one fork server, results in the order in which they were asked for."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from queue import SimpleQueue

from grader.model.job import Finished, Job
from grader.pipeline import JUDGE, judge
from grader.sandbox.launch import Launcher, Line


def judge_all(jobs: Iterable[Job], launcher: Launcher, judges: int | None = None) -> Iterator[Finished]:
    """What the judges find, job by job; `judges` of them work at a time (default: one for each usable core).

    Raises:
        CourseError, SandboxError: a job could not be judged, through no fault of the submission.
    """
    count = judges or usable_cores()
    with ExitStack() as stack:
        free: SimpleQueue[Line] = SimpleQueue()
        for _ in range(count):
            free.put(stack.enter_context(launcher.judge(JUDGE)))

        def judged(job: Job) -> Finished:
            line = free.get()
            try:
                return judge(line, job, lambda _: None)
            finally:
                free.put(line)

        pool = stack.enter_context(ThreadPoolExecutor(count))
        yield from pool.map(judged, jobs)


def usable_cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
