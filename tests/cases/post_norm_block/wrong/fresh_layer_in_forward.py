"""The norm is made where it is used."""

from torch import nn


class PostNormBlock(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.sublayer = sublayer
        self.norm = nn.LayerNorm(dim)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        return nn.LayerNorm(x.shape[-1])(x + self.drop(self.sublayer(x)))
