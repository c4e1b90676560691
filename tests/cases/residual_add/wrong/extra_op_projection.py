"""Has one more layer."""
from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.sublayer = sublayer
        self.dropout = nn.Dropout(dropout)
        self.proj = nn.Linear(dim, dim, bias=False)

    def forward(self, x, **kwargs):
        skip = self.proj(x)
        return skip + self.dropout(self.sublayer(self.norm(x), **kwargs))
