"""A submission on the bench of an experiment: whatever goes wrong with it becomes a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import msgspec

from grader.checks.bench import Bench, prepare
from grader.checks.expect import CheckFailed, NeedsReview
from grader.checks.explain import lost, raised
from grader.errors import CourseError
from grader.lab.job import Stop
from grader.model.course import Course
from grader.model.limits import Limits
from grader.model.results import Where
from grader.model.submission import Submission
from grader.sandbox.process import Workers
from grader.sandbox.session import FORGED, StudentRaised, WorkerLost
from grader.sandbox.worker.messages import BadFrame

Result = TypeVar("Result")


@contextmanager
def on_bench(course: Course, submission: Submission, workers: Workers, **wider: int) -> Iterator[Bench]:
    """The one exercise of a submission, loaded in a worker; `wider` are limits that must be at least so wide."""
    if wider:
        limits = msgspec.to_builtins(course.limits)
        limits |= {name: max(limits[name], least) for name, least in wider.items()}
        course = msgspec.structs.replace(course, limits=msgspec.convert(limits, Limits))
    bench = prepare(course, submission, submission.works[0], workers)
    try:
        yield bench
    finally:
        bench.close()


def attempt(bench: Bench, do: Callable[[], Result]) -> Result | Stop:
    """What `do` gives, or what the student's code did instead."""
    if bench.blocked is not None:
        return Stop(_at(bench.blocked.explained.happened, bench.blocked.where))
    try:
        return do()
    except StudentRaised as error:
        return Stop(_at(raised(error, "visible").happened, error.where))
    except WorkerLost as error:
        return Stop(lost(error.verdict, error.happened).happened, lost=True)
    except CheckFailed as error:
        return Stop(error.happened)
    except NeedsReview as error:
        return Stop(error.happened)
    except BadFrame:
        return Stop(FORGED)


def of_the_solution(got: Result | Stop, bench: Bench) -> Result:
    """What the solution gave.

    Raises:
        CourseError: it did not.
    """
    if isinstance(got, Stop):
        raise CourseError(f"The solution of {bench.exercise.name} cannot be tried: {got.words}")
    return got


def _at(happened: str, where: Where | None) -> str:
    """The sentence with the place, where it is known and not told by the sentence itself."""
    if where is None or f"line {where.line}" in happened:
        return happened
    cell = f"code cell {where.cell}, " if where.cell is not None else ""
    return f"{happened} ({where.file}, {cell}line {where.line})"
