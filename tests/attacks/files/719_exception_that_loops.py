"""Raises exceptions whose text never ends; right outcome: stopped by the clock."""
# points: none | verdict: timed_out
from torch import nn


class Worse(Exception):
    def __str__(self):
        while True:
            pass


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()

    def forward(self, x, **kwargs):
        raise Worse
