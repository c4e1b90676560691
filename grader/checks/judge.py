"""A judge: the trusted process that runs the checks. It never imports, unpickles or executes what a student wrote."""

from __future__ import annotations

import platform
import socket
import traceback

import msgspec
import torch

from grader.checks.run import run_checks
from grader.errors import GradeError
from grader.model.job import Broken, Finished, Job, Progress
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
    while (body := line.receive()) is not None:
        try:
            answer = msgspec.json.encode(judge(msgspec.json.decode(body, type=Job), supply, line))
        except GradeError as error:
            answer = msgspec.json.encode(Broken(str(error)))
        except Exception as error:
            words = f"The checks stopped with {type(error).__name__}: {error}."
            answer = msgspec.json.encode(Broken(words, traceback.format_exc()))
        line.send(answer)


def judge(job: Job, supply: Workers, line: Line) -> Finished:
    """All checks of one submission."""

    def report(exercise: str, check: str, done: int, total: int) -> None:
        line.send(msgspec.json.encode(Progress(exercise, check, done, total)))

    results = run_checks(job.course, job.submission, supply, report)
    return Finished(results, supply.confinement, platform.python_version(), str(torch.__version__))
