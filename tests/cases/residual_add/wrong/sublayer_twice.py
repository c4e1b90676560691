"""Step by step, then the sum."""
from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.sublayer = sublayer
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, **kwargs):
        h = self.sublayer(self.norm(x), **kwargs)
        h = self.dropout(self.sublayer(h, **kwargs))
        return x + h
