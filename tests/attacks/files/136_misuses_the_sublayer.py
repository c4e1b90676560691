"""Calls the sublayer with values of every odd kind and with huge and empty tensors; right outcome: refused in words."""
# points: some | verdict: any
import contextlib
import itertools

import torch
from torch import nn

loop = []
loop.append(loop)
odd = [
    ((), {}), ((None,), {}), (("text",), {}), ((loop,), {}), ((torch.zeros(0),), {}), ((torch.zeros(0, 8),), {}),
    ((torch.zeros(3, 9),), {}), ((torch.tensor(1.0),), {}), ((torch.zeros(1, 8, dtype=torch.int8),), {}),
    ((torch.zeros(1, 8, dtype=torch.bool),), {}), ((torch.zeros(1, 8, dtype=torch.complex64),), {}),
    ((torch.zeros(1, 8), torch.zeros(1, 8)), {}), ((torch.zeros(1, 8),), {"A" * 1000: 1}),
    ((torch.zeros(1, 8),), {"h": 1, "self": 2, "\udcff": 3}), ((torch.full((1, 8), float("nan")),), {}),
    ((torch.empty(1, 8, device="meta"),), {}), ((torch.zeros(*[1] * 12, 8),), {}), ((nn.Linear(1, 1),), {}),
    ((torch.zeros(2, 8), 10**30, object()), {"x": torch.zeros(2), "y": nn.Linear(1, 1)}),
]
turn = itertools.cycle(odd)


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.sublayer = sublayer

    def forward(self, x, **kwargs):
        for _ in range(4):
            args, named = next(turn)
            with contextlib.suppress(Exception):
                self.sublayer(*args, **named)
        return x
