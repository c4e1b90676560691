# tag: unregistered-params | checks: registers_the_sublayer
"""A lambda holds the sublayer."""

from torch import nn


class PostNormBlock(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.run = lambda t: sublayer(t)
        self.norm = nn.LayerNorm(dim)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        return self.norm(x + self.drop(self.run(x)))
