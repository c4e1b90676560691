# tag: post-norm | formula: Norm(x + F(x))
"""Add and norm, as drawn in the famous figure."""
from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.sublayer = sublayer
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, **kwargs):
        return self.norm(x + self.dropout(self.sublayer(x, **kwargs)))
