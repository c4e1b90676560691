"""Answers with views whose elements share memory or lie outside of it; right outcome: numbers are copied and compared."""
# points: some | verdict: failed/raised
import itertools

import torch
from torch import nn

turn = itertools.count()


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()

    def forward(self, x, **kwargs):
        kind = next(turn) % 3
        if kind == 0:
            return x.flatten()[:1].expand(x.numel()).reshape(1, -1)[0, :1].expand(x.shape)
        if kind == 1:
            return torch.as_strided(x.clone(), x.shape, [0] * x.dim())
        return torch.as_strided(x.clone(), x.shape, [1] * x.dim())
