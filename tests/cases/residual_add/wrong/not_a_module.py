"""A small callable class."""
from torch import nn


class ResidualAdd:
    def __init__(self, dim, sublayer, dropout=0.1):
        self.norm = nn.LayerNorm(dim)
        self.sublayer = sublayer
        self.dropout = nn.Dropout(dropout)

    def __call__(self, x, **kwargs):
        return self.forward(x, **kwargs)

    def forward(self, x, **kwargs):
        return x + self.dropout(self.sublayer(self.norm(x), **kwargs))
