"""A helper for the first steps."""
from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.sublayer = sublayer
        self.dropout = nn.Dropout(dropout)

    def prepare(self, x):
        return self.dropout(self.norm(x))

    def forward(self, x, **kwargs):
        return x + self.sublayer(self.prepare(x), **kwargs)
