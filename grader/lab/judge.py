"""The process that runs experiments: trusted, as the judge of checks is; the student's code runs in workers."""

from __future__ import annotations

import socket
import traceback

import msgspec
import torch

from grader.errors import GradeError
from grader.lab.gradients import try_gradients
from grader.lab.job import Answer, Broken, FindSums, Job, Result, Said, TrainOnce, Tried, TryGradients
from grader.lab.stack import try_stack
from grader.lab.training import sums_of, train_once
from grader.sandbox.forked import ForkedWorkers
from grader.sandbox.launch import Line
from grader.sandbox.process import Workers
from grader.sandbox.spawned import SpawnedWorkers


def main(reading: int, writing: int, workers: int | None) -> None:
    """Do one experiment after the other until the command closes the line; see `grader.checks.judge`."""
    line = Line.on(reading, writing)
    supply: Workers = SpawnedWorkers() if workers is None else ForkedWorkers(socket.socket(fileno=workers))
    torch.set_default_dtype(torch.float64)
    decoder: msgspec.json.Decoder[Job] = msgspec.json.Decoder(Job)
    while (body := line.receive()) is not None:
        line.send(msgspec.json.encode(_answer(decoder.decode(body), supply, line)))


def _answer(job: Job, supply: Workers, line: Line) -> Answer:
    try:
        return _done(job, supply, line)
    except GradeError as error:
        return Broken(str(error))
    except Exception as error:
        return Broken(f"The experiment stopped with {type(error).__name__}: {error}.", traceback.format_exc())


def _done(job: Job, supply: Workers, line: Line) -> Result:
    def tell(words: str) -> None:
        line.send(msgspec.json.encode(Said(words)))

    if isinstance(job, FindSums):
        return sums_of(job, supply)
    if isinstance(job, TrainOnce):
        return train_once(job, supply)
    return Tried(try_gradients(job, supply, tell) if isinstance(job, TryGradients) else try_stack(job, supply, tell))
