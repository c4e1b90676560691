"""(h) What starts and what is called: the fork server, a judge, a worker, one call into a worker, one call of a probe.

Calls are compared with the same calls where the student's code is in the process of the checks.
"""

from __future__ import annotations

import json
import socket
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import torch

from bench import confinement, measure
from bench.floors.direct import NoWorkers, without_isolation
from bench.measure import SOLUTIONS, Section
from bench.submissions import submissions, write
from grader.checks.bench import prepare
from grader.checks.probe import Probe
from grader.intake import accept
from grader.model.course import load_course
from grader.model.job import Job
from grader.sandbox.forked import ForkedWorkers
from grader.sandbox.launch import ForkLauncher, Line
from grader.sandbox.process import Workers

SEAT = "bench.start:time_calls"
CALLS, WARM_UP = 200, 20  # fewer together than a probe may be called in one check
HEAD = ("what", "ms", "", "without isolation", "goal")
CALL, PROBE = "call", "call with a probe"


def time_calls(reading: int, writing: int, workers: int) -> None:
    """In a judge's place: milliseconds of each kind of call, confined and without isolation."""
    line = Line.on(reading, writing)
    job = msgspec.json.decode(line.receive() or b"", type=Job)
    confined = _calls(job, ForkedWorkers(socket.socket(fileno=workers)))
    with without_isolation():
        direct = _calls(job, NoWorkers())
    line.send(json.dumps([confined, direct]).encode())
    line.receive()


def _calls(job: Job, workers: Workers) -> dict[str, float]:
    torch.set_default_dtype(torch.float64)
    work = next(work for work in job.submission.works if work.exercise == "residual_add")
    bench = prepare(job.course, job.submission, work, workers)
    student, x = bench.student(), torch.ones(2, 5, 8, dtype=torch.float64)
    student.begin(0)
    layer = student.build("torch.nn.Linear", 8, 8)
    found = {CALL: _median_ms(lambda: layer(x))}
    block = student.ResidualAdd(8, Probe(torch.tanh), 0.0).eval()
    found[PROBE] = _median_ms(lambda: block(x))
    bench.close()
    return found


def _median_ms(call: Callable[[], object]) -> float:
    taken = []
    for _ in range(CALLS + WARM_UP):
        begun = time.perf_counter()
        call()
        taken.append(time.perf_counter() - begun)
    return statistics.median(taken[WARM_UP:]) * 1000


def starts(count: int) -> dict[str, float]:
    """Milliseconds, in medians: a fork server with its first judge, and one more judge."""
    taken: dict[str, list[float]] = {"server": [], "judge": []}
    for _ in range(count):
        begun = time.perf_counter()
        with ForkLauncher() as started:
            with started.judge(SEAT):
                taken["server"].append(time.perf_counter() - begun)
            begun = time.perf_counter()
            with started.judge(SEAT):
                taken["judge"].append(time.perf_counter() - begun)
    return {name: statistics.median(each) * 1000 for name, each in taken.items()}


def calls() -> tuple[dict[str, float], dict[str, float]]:
    """Milliseconds of each kind of call, confined and without isolation."""
    course = load_course(SOLUTIONS)
    with tempfile.TemporaryDirectory() as folder, ForkLauncher() as started, started.judge(SEAT) as line:
        (path,) = write(Path(folder), submissions(1))
        line.send(msgspec.json.encode(Job(course, accept(path, course))))
        confined, direct = json.loads(line.receive() or b"")
    return confined, direct


def section(*, quick: bool) -> Section:
    """Starts, calls, and what confinement adds to the life of a worker."""
    begun, (confined, direct) = starts(2 if quick else 5), calls()
    lives, layers = confinement.lives(50 if quick else confinement.WORKERS)
    ready, more = lives[confinement.ALL].ready * 1000, confinement.more_ms(lives)
    goal = measure.kept(f"layers ≤ {confinement.GOAL_MS:.0f} ms", confinement.reached(lives))
    probed = confined[PROBE] - confined[CALL], direct[PROBE] - direct[CALL]
    rows = [
        ("the fork server, torch and all, until a judge is there", f"{begun['server']:.0f}", "", "", ""),
        ("one more judge, its imports not counted", f"{begun['judge']:.1f}", "", "", ""),
        (f"a worker with {len(layers)} layers, until it is ready", f"{ready:.1f}", "", "", ""),
        ("the same to its end", f"{lives[confinement.ALL].ended * 1000:.1f}", "", f"{more:+.1f} ms", goal),
        ("one call of a layer in the worker", f"{confined[CALL]:.3f}", "", f"{direct[CALL]:.3f}", ""),
        ("what a probe adds to a block's call", f"{probed[0]:.3f}", "", f"{probed[1]:.3f}", ""),
    ]
    figures = {**begun, "worker": ready, "layers": more, "call": confined[CALL], "probe": probed[0]}
    return Section("h", "Starts and calls", rows, confinement.reached(lives), figures, HEAD)
