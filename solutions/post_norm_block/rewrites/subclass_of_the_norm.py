"""The block is a layer norm that adds first."""

from torch import nn


class PostNormBlock(nn.LayerNorm):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__(dim)
        self.sublayer = sublayer
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        return super().forward(x + self.drop(self.sublayer(x)))
