"""The ablation at a judge: where the shortcuts of a block are added, and one training of a stack of blocks."""

from __future__ import annotations

from typing import Annotated

import msgspec

from grader.checks.claims import claimed
from grader.checks.draw import Draw, seed_for
from grader.checks.student import Remote, Student
from grader.lab.job import FindSums, Learned, Stop, Sums, TrainOnce
from grader.lab.record import LENGTH, SYMBOLS, Share
from grader.lab.residuals import find_sums, removed
from grader.lab.trying import attempt, on_bench
from grader.sandbox.process import Workers
from grader.sandbox.worker import messages as m

BLOCK = "TransformerBlock"
TOKENS = 2 * LENGTH - 1
WIDTH, HEADS, BATCH = 32, 4, 16
RATE = 3e-3
SECONDS = 120  # for one training; the reference needs two
LOOKING = 3  # so many experiments in one; each may take what a check may
# No dropout: what is compared is what the shortcuts do.
CONFIG = {"emb_dim": WIDTH, "context_length": TOKENS, "n_heads": HEADS, "drop_rate": 0.0, "qkv_bias": True}

Shares = Annotated[tuple[Share, ...], msgspec.Meta(max_length=1000)]


def sums_of(job: FindSums, workers: Workers) -> Sums | Stop:
    """Where the block adds its shortcuts, for inputs of the shape that it is trained on."""
    seconds = int(LOOKING * job.course.limits.check_seconds)
    with on_bench(job.course, job.submission, workers, check_seconds=seconds) as bench:
        purpose = (job.course.seed, job.submission.digest, bench.exercise.name, "lab")

        def look() -> Sums:
            student = bench.student()
            student.begin(seed_for(*purpose, "worker"))
            draw = Draw(seed_for(*purpose, "judge"))
            return find_sums(_build(student), draw.input(BATCH, TOKENS, WIDTH), draw)

        return attempt(bench, look)


def train_once(job: TrainOnce, workers: Workers) -> Learned | Stop:
    """Train in the worker, all steps in one question."""
    task = m.CopyTask(SYMBOLS, LENGTH, WIDTH, BATCH, job.steps, job.every, RATE)

    with on_bench(job.course, job.submission, workers, check_seconds=SECONDS) as bench:

        def train() -> Learned:
            student = bench.student()
            student.begin(job.seed, "float32")
            blocks = [_build(student) for _ in range(job.blocks)]
            if job.sums:
                blocks = [removed(block, job.sums) for block in blocks]
            done = student.ask(m.Train([m.Reference(block.handle) for block in blocks], task, job.seed))
            shares: tuple[float, ...] = claimed(student._unpack(done.value), Shares)
            if len(shares) != job.steps // job.every + 1:
                raise m.BadFrame("another number of looks than was asked for")
            return Learned(shares)

        return attempt(bench, train)


def _build(student: Student) -> Remote:
    made = student.build(BLOCK, dict(CONFIG))
    assert isinstance(made, Remote)
    return made
