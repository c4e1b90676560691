"""Raises exceptions whose text is 50 MB; right outcome: the text is cut."""
# points: none | verdict: raised
from torch import nn


class Bad(Exception):
    def __str__(self):
        return "B" * (50 << 20)


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()

    def forward(self, x, **kwargs):
        raise Bad
