"""GPT-2 small without its embeddings: twelve blocks of 768 dimensions, 24 sublayers, one after the other."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

import msgspec
import torch

from grader.checks.claims import claimed
from grader.checks.expect import described
from grader.checks.student import Remote, Student
from grader.lab.job import Stop, TryStack
from grader.lab.record import Stack, file_tried
from grader.lab.trying import attempt, on_bench
from grader.sandbox.process import Workers
from grader.sandbox.worker import messages as m
from grader.sandbox.worker.values import pack_tensor

BLOCK = "TransformerBlock"
CONTEXT = 1024
SECONDS, MEMORY_MIB = 120, 6144  # the reference needs four seconds and 1 GiB


def try_stack(job: TryStack, workers: Workers, tell: Callable[[str], None]) -> Stack:
    """Forward and backward through the whole stack, in float32, as a model is trained."""
    empty = Stack(file_tried(job.submission, own=job.own), job.blocks, job.width, (1, job.tokens, job.width))
    with on_bench(job.course, job.submission, workers, check_seconds=SECONDS, memory_mib=MEMORY_MIB) as bench:
        tell(f"Building {job.blocks} blocks of {job.width} dimensions")
        got = attempt(bench, lambda: _through(bench.student(), job, empty, tell))
    return msgspec.structs.replace(empty, stopped=got.words) if isinstance(got, Stop) else got


def _through(student: Student, job: TryStack, empty: Stack, tell: Callable[[str], None]) -> Stack:
    student.begin(1, "float32")
    cfg = {"emb_dim": job.width, "context_length": CONTEXT, "n_heads": job.heads, "drop_rate": 0.1, "qkv_bias": False}
    before = _peak_mib(student)
    blocks = [student.build(BLOCK, dict(cfg)) for _ in range(job.blocks)]
    stack: Remote = student.build("torch.nn.Sequential", *blocks)
    x = torch.randn(empty.given, generator=torch.Generator().manual_seed(1), dtype=torch.float32).requires_grad_()
    tell("Forward and backward")
    begun = time.monotonic()
    output = stack.call(x)
    turned = time.monotonic()
    value = output.value
    if not isinstance(value, torch.Tensor):
        return msgspec.structs.replace(empty, stopped=f"The stack returned {described(value)}.")
    student.ask(m.Backward(output.number, pack_tensor(torch.full_like(value, 1 / value.numel()))))
    ended = time.monotonic()
    after = _peak_mib(student)
    read = [_of(block) for block in blocks]
    return msgspec.structs.replace(
        empty,
        returned=tuple(value.shape),
        finite=bool(torch.isfinite(value).all()),
        parameters=sum(count for count, _ in read),
        gradients=tuple(mean for _, mean in read),
        forward_seconds=round(turned - begun, 2),
        backward_seconds=round(ended - turned, 2),
        memory_mib=None if before is None or after is None else max(0, after - before),
    )


def _of(block: Remote) -> tuple[int, float | None]:
    """How many numbers a block trains, and the mean absolute gradient of its weights; None if a parameter got none."""
    gradients = block.gradients()
    reached = [gradient for gradient in gradients.values() if gradient is not None]
    weights = [gradient for gradient in reached if gradient.dim() > 1]
    count, size = sum(math.prod(one.shape) for one in reached), sum(one.numel() for one in weights)
    whole = size > 0 and len(reached) == len(gradients)
    return count, float(sum(float(one.double().abs().sum()) for one in weights)) / size if whole else None


def _peak_mib(student: Student) -> int | None:
    peak = student.ask(m.Peak()).value
    return None if peak is None else claimed(peak, int)
