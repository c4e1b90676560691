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
    job = next(jobs, None)
    while job is not None:
        job = _like(job, jobs, supply, line)


def _received(line: Line) -> Iterator[Job]:
    while (body := line.receive()) is not None:
        yield msgspec.json.decode(body, type=Job)


def _like(first: Job, jobs: Iterator[Job], supply: Workers, line: Line) -> Job | None:
    """Answer this job and those that follow it and need the same checks; returns the first one that needs others."""

    def answer(checks: Checks) -> Job | None:
        job: Job | None = first
        while job is not None and _needs(job) == _needs(first):
            line.send(msgspec.json.encode(finished(job, checks, supply, line)))
            job = next(jobs, None)
        return job

    try:
        refuse_to_open(first.course, supply)
        return with_checks(first.course, first.exercises, answer)
    except GradeError as error:
        line.send(msgspec.json.encode(Broken(str(error))))
    except Exception as error:
        words = f"The checks stopped with {type(error).__name__}: {error}."
        line.send(msgspec.json.encode(Broken(words, traceback.format_exc())))
    return next(jobs, None)


def refuse_to_open(course: Course, supply: Workers) -> None:
    """Raises SandboxError for a sealed course where a submission could read the memory of others."""
    if course.sealed and supply.confinement.level == "practice":
        raise SandboxError(
            f"The sealed checks were not opened, since a submission could read them here. "
            f"{supply.confinement.shortfall()}"
        )


def _needs(job: Job) -> tuple[str, str, tuple[Exercise, ...]]:
    return job.course.root, job.course.digest, job.exercises


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
