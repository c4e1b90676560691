"""Has a small constant for stability."""
from torch import nn

ALPHA = 0.1


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.sublayer = sublayer
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, **kwargs):
        return x + ALPHA * self.dropout(self.sublayer(self.norm(x), **kwargs))
