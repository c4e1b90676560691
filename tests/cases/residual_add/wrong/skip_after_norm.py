"""Reuses the name x to keep it short."""
from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.sublayer = sublayer
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, **kwargs):
        x = self.norm(x)
        x = x + self.dropout(self.sublayer(x, **kwargs))
        return x
