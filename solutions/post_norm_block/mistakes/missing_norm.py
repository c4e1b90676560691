# tag: missing-norm | formula: x + F(x) | checks: normalises_the_sum
"""The norm is made and never called."""

from torch import nn


class PostNormBlock(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.sublayer = sublayer
        self.norm = nn.LayerNorm(dim)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        return x + self.drop(self.sublayer(x))
