"""Adds the input back for an input of three axes only."""

from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.sublayer = sublayer
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, **kwargs):
        y = self.dropout(self.sublayer(self.norm(x), **kwargs))
        return x + y if x.ndim == 3 else y
