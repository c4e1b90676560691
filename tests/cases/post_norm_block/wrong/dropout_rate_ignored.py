"""A rate that is written out."""

from torch import nn


class PostNormBlock(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.sublayer = sublayer
        self.norm = nn.LayerNorm(dim)
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        return self.norm(x + self.drop(self.sublayer(x)))
