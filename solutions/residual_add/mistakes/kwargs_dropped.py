# tag: kwargs-dropped | checks: passes_keyword_arguments_on
"""Signature as in the task."""
from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.sublayer = sublayer
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, **kwargs):
        h = self.norm(x)
        h = self.sublayer(h)
        return x + self.dropout(h)
