"""The norm moves when the block is trained."""

from torch import nn


class PostNormBlock(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.sublayer = sublayer
        self.norm = nn.LayerNorm(dim)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        if self.training:
            return x + self.drop(self.sublayer(self.norm(x)))
        return self.norm(x + self.sublayer(x))
