"""Raises exceptions with long chains, groups in groups and deep tracebacks; right outcome: a verdict."""
# points: none | verdict: any
import itertools
import sys

from torch import nn

turn = itertools.count()


def deep(left):
    return deep(left - 1) if left else 1 / 0


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()

    def forward(self, x, **kwargs):
        error = ValueError("first")
        if next(turn) % 3 == 0:
            for number in range(100_000):
                following = ValueError(str(number))
                following.__cause__ = following.__context__ = error
                error = following
        elif next(turn) % 2:
            for number in range(500):
                error = ExceptionGroup("g" * 100, [error, error])
        else:
            sys.setrecursionlimit(20_000)
            deep(10_000)
        raise error
