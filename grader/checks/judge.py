"""A judge: the trusted process that runs the checks. It never imports, unpickles or executes what a student wrote."""

from __future__ import annotations

import platform
import socket
import traceback
from collections.abc import Iterator

import msgspec
import torch

from grader.checks.collection import Checks, with_checks
from grader.checks.run import judge
from grader.errors import GradeError, SandboxError
from grader.model.course import QUIZ, Course, Exercise
from grader.model.job import Broken, Finished, Job, Progress
from grader.model.results import ExerciseResult
from grader.sandbox.forked import ForkedWorkers
from grader.sandbox.launch import Line
from grader.sandbox.process import Workers
from grader.sandbox.spawned import SpawnedWorkers


def main(reading: int, writing: int, workers: int | None) -> None:
    """Judge one submission after the other until the command closes the line.

    `workers` is the descriptor by which the nursery is asked for workers; None means to spawn them.
    """
    line = Line.on(reading, writing)
    supply: Workers = SpawnedWorkers() if workers is None else ForkedWorkers(socket.socket(fileno=workers))
    jobs = _received(line)
    first, collected = next(jobs, None), tuple[Exercise, ...]()
    while first is not None:
        first, collected = _like(first, collected, jobs, supply, line)


def _received(line: Line) -> Iterator[Job]:
    while (body := line.receive()) is not None:
        yield msgspec.json.decode(body, type=Job)


def _like(
    first: Job, collected: tuple[Exercise, ...], jobs: Iterator[Job], supply: Workers, line: Line
) -> tuple[Job | None, tuple[Exercise, ...]]:
    """Answer this job and those that follow it and need no other checks.

    Returns the first that needs others, and the exercises whose checks were there: `collected` and those of this job,
    since a class that hands in one exercise each would have the checks collected for almost every submission.
    """
    course = first.course
    others = (one for one in collected if one in course.exercises and one not in first.exercises)
    exercises = (*first.exercises, *others)

    def answer(checks: Checks) -> Job | None:
        job: Job | None = first
        while job is not None and _same_course(job, first) and all(one in exercises for one in job.exercises):
            line.send(msgspec.json.encode(finished(job, checks, supply, line)))
            job = next(jobs, None)
        return job

    try:
        refuse_to_open(course, supply)
        return with_checks(course, exercises, answer), exercises
    except GradeError as error:
        line.send(msgspec.json.encode(Broken(str(error))))
    except Exception as error:
        words = f"The checks stopped with {type(error).__name__}: {error}."
        line.send(msgspec.json.encode(Broken(words, traceback.format_exc())))
    return next(jobs, None), ()


def _same_course(one: Job, other: Job) -> bool:
    return (one.course.root, one.course.digest) == (other.course.root, other.course.digest)


def refuse_to_open(course: Course, supply: Workers) -> None:
    """Raises SandboxError for a sealed course where a submission could read the memory of others."""
    if course.sealed and supply.confinement.level == "practice":
        raise SandboxError(
            f"The sealed checks were not opened, since a submission could read them here. "
            f"{supply.confinement.shortfall()}"
        )


def finished(job: Job, checks: Checks, supply: Workers, line: Line) -> Finished:
    """All checks of one submission."""

    def report(exercise: str, check: str, done: int, total: int) -> None:
        line.send(msgspec.json.encode(Progress(exercise, check, done, total)))

    results = (*judge(checks, job, supply, report), *_quiz(job))
    return Finished(results, supply.confinement, platform.python_version(), str(torch.__version__))


def _quiz(job: Job) -> tuple[ExerciseResult, ...]:
    """The knowledge check, where it was handed in or has to be; nothing of it is run."""
    work = next((one for one in job.submission.works if one.exercise == QUIZ), None)
    if work is None or job.course.quiz is None:
        return ()
    from grader.quiz import grade_quiz, quiz_of  # for those who hand in answers only

    quiz = quiz_of(job.course, job.course.quiz)
    result = grade_quiz(quiz, work.answers, work.file.path if work.file else f"{QUIZ}.toml")
    if work.problem is not None:
        words = {"happened": work.problem.happened, "expected": work.problem.next_step}
        checks = tuple(msgspec.structs.replace(check, **words) for check in result.checks)
        result = msgspec.structs.replace(result, checks=checks)
    return (msgspec.structs.replace(result, remarks=(*work.remarks, *result.remarks)),)
