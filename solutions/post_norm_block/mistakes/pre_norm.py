# tag: pre-norm | formula: x + F(Norm(x)) | checks: normalises_the_sum
"""The order of GPT-2."""

from torch import nn


class PostNormBlock(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.sublayer = sublayer
        self.norm = nn.LayerNorm(dim)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        return x + self.drop(self.sublayer(self.norm(x)))
