"""Stores the branch as a function."""
from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.dropout = nn.Dropout(dropout)
        self.branch = lambda h, **kw: sublayer(h, **kw)

    def forward(self, x, **kwargs):
        return x + self.dropout(self.branch(self.norm(x), **kwargs))
