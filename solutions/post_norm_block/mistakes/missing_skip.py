# tag: missing-skip | formula: Norm(F(x)) | checks: adds_the_input_back
"""One step after the other, and no sum."""

from torch import nn


class PostNormBlock(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.sublayer = sublayer
        self.norm = nn.LayerNorm(dim)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        out = self.sublayer(x)
        out = self.drop(out)
        return self.norm(out)
