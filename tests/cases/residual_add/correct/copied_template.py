"""Copies of a template layer."""

import copy
from torch import nn

TEMPLATES = {}


def fresh_norm(dim):
    if dim not in TEMPLATES:
        TEMPLATES[dim] = nn.LayerNorm(dim)
    return copy.deepcopy(TEMPLATES[dim])


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.norm = fresh_norm(dim)
        self.sublayer = sublayer
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, **kwargs):
        skip = x
        y = self.norm(x)
        y = self.sublayer(y, **kwargs)
        y = self.dropout(y)
        return skip + y
