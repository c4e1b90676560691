"""Whole submissions without isolation, in a judge's place: the same fork of the same server, the same threads.

F1   one after the other in one warm process
F2   a bare fork for each
F3   bare forks, two at a time
"""

from __future__ import annotations

import gc
import os
import resource
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import NoReturn

import msgspec

from bench.floors.direct import NoWorkers, without_isolation
from grader.checks.collection import Checks, with_checks
from grader.checks.run import judge
from grader.errors import SandboxError
from grader.model.job import Job
from grader.model.results import ExerciseResult
from grader.sandbox.launch import Launcher, Line

SEAT = "bench.floors.seat:main"
FORKS = {"F1": 0, "F2": 1, "F3": 2}

Results = tuple[ExerciseResult, ...]
Call = Callable[[], Results]


class Asked(msgspec.Struct, frozen=True):
    """Judge these, which need the same checks, with so many forks at a time; none: in this process."""

    jobs: tuple[Job, ...]
    forks: int


class Told(msgspec.Struct, frozen=True):
    """What was found, in the order asked for, and what that took: wall seconds, CPU seconds of all processes."""

    results: tuple[Results, ...]
    wall: float
    cpu: float


class Floor:
    """Our end of one seat."""

    def __init__(self, line: Line, forks: int) -> None:
        self._line, self._forks = line, forks

    def run(self, jobs: Sequence[Job]) -> Told:
        """Judge them all there."""
        self._line.send(msgspec.json.encode(Asked(tuple(jobs), self._forks)))
        body = self._line.receive()
        if body is None:
            raise SandboxError("The process that measures without isolation ended without a result.")
        return msgspec.json.decode(body, type=Told)


@contextmanager
def floor(started: Launcher, name: str) -> Iterator[Floor]:
    """A process for one of FORKS."""
    with started.judge(SEAT) as line:
        yield Floor(line, FORKS[name])


# ---------------------------------------------------------------- in the seat


def main(reading: int, writing: int, workers: int | None) -> None:
    """Judge as asked until the line is closed."""
    line = Line.on(reading, writing)
    if workers is not None:
        os.close(workers)
    with without_isolation():
        while (body := line.receive()) is not None:
            line.send(msgspec.json.encode(_told(msgspec.json.decode(body, type=Asked))))


def _told(asked: Asked) -> Told:
    """The checks are collected once and before the clock begins, as a judge has them collected for a class."""
    first = asked.jobs[0]
    return with_checks(first.course, first.exercises, lambda checks: _timed(asked, checks))


def _timed(asked: Asked, checks: Checks) -> Told:
    begun, used = time.monotonic(), _cpu_seconds()
    calls = [partial(judge, checks, job, NoWorkers()) for job in asked.jobs]
    found = tuple(_forked(calls, asked.forks) if asked.forks else (call() for call in calls))
    return Told(found, time.monotonic() - begun, _cpu_seconds() - used)


def _cpu_seconds() -> float:
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(used.ru_utime + used.ru_stime for used in both)


def _forked(calls: Sequence[Call], forks: int) -> list[Results]:
    """A child for each, at most `forks` of them alive. Nothing has run backward here, so torch allows the fork."""
    gc.collect()
    gc.freeze()
    children: dict[int, tuple[int, int]] = {}
    found: dict[int, Results] = {}
    for number, call in enumerate(calls):
        if len(children) == forks:
            _take(children, found)
        file = os.memfd_create("results")
        pid = os.fork()
        if pid == 0:
            _be_child(call, file)
        children[pid] = number, file
    while children:
        _take(children, found)
    return [found[number] for number in range(len(calls))]


def _be_child(call: Call, file: int) -> NoReturn:
    code = 70
    try:
        with open(file, "wb") as results:
            results.write(msgspec.json.encode(call()))
        code = 0
    finally:
        os._exit(code)


def _take(children: dict[int, tuple[int, int]], found: dict[int, Results]) -> None:
    """Wait for one child and read what it found."""
    pid, status = os.wait()
    number, file = children.pop(pid)
    if status:
        raise RuntimeError(f"a fork that ran the checks of submission {number} ended with wait status {status}")
    with open(file, "rb") as results:
        results.seek(0)
        found[number] = msgspec.json.decode(results.read(), type=Results)
