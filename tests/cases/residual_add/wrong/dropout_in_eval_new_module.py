"""Keeps the rate as a number."""
from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.sublayer = sublayer
        self.rate = dropout

    def forward(self, x, **kwargs):
        drop = nn.Dropout(self.rate)
        return x + drop(self.sublayer(self.norm(x), **kwargs))
