"""Announces frames of gigabytes in each forward pass; right outcome: refused before memory is taken."""
# points: none | verdict: crashed
import itertools
import os

from torch import nn

sizes = itertools.cycle([(0xFFFFFFFF, 0), (0, 0xFFFFFFFF), (0xFFFFFFFF, 0xFFFFFFFF), (2 << 20, 0)])


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()

    def forward(self, x, **kwargs):
        os.write(channels()[0], head(*next(sizes)) + bytes(1000))
        return x
