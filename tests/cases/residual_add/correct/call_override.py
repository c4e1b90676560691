"""Counts its calls."""
from torch import nn


class ResidualAdd(nn.Module):
    calls = 0

    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.sublayer = sublayer
        self.dropout = nn.Dropout(dropout)

    def __call__(self, x, **kwargs):
        type(self).calls += 1
        return super().__call__(x, **kwargs)

    def forward(self, x, **kwargs):
        return x + self.dropout(self.sublayer(self.norm(x), **kwargs))
