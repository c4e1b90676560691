"""Spins in each forward pass and catches whatever may end it; right outcome: stopped by the clock."""
# points: none | verdict: timed_out
from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()

    def forward(self, x, **kwargs):
        while True:
            try:
                while True:
                    pass
            except BaseException:
                continue
