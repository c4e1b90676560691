# tag: missing-skip | formula: F(Norm(x))
"""One operation per line."""
from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.sublayer = sublayer
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, **kwargs):
        out = self.norm(x)
        out = self.sublayer(out, **kwargs)
        out = self.dropout(out)
        return out
