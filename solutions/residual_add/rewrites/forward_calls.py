"""Calls .forward on its parts, so hooks on them never run."""
from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.sublayer = sublayer
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, **kwargs):
        run = getattr(self.sublayer, "forward", self.sublayer)
        return x + self.dropout.forward(run(self.norm.forward(x), **kwargs))
