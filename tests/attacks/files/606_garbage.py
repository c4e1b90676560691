"""Writes random bytes to the channel in each forward pass; right outcome: refused, the worker is ended."""
# points: none | verdict: crashed
import os

from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()

    def forward(self, x, **kwargs):
        os.write(channels()[0], head(600, 0) + bytes(range(200, 255)) * 50)
        return x
