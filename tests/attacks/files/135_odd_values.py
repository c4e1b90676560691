"""Answers with values that are no tensors: endless, nested, huge, infinite, itself; right outcome: wrong, never our fault."""
# points: some | verdict: any
import itertools
from collections import namedtuple

from torch import nn

loop = []
loop.append(loop)
deep = []
for _ in range(100):
    deep = [deep]
values = [
    loop, deep, {"a": loop}, {1: 2}, {"\udcff": 1}, "\udcff", "A" * 100_000, b"bytes", 10**5000, -(2**63), 2**63,
    float("nan"), float("inf"), True, ..., NotImplemented, range(10), (x for x in [1]), namedtuple("N", "a")(1), object(),
    type, len, nn.Linear(1, 1), ZeroDivisionError("x"), {"x": {"y": {"z": []}}}, [[[]]] * 1000, memoryview(b"x"), {1, 2},
]
turn = itertools.cycle(values)


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()

    def forward(self, x, **kwargs):
        return next(turn)
