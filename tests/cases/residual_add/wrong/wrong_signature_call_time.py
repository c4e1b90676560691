"""The sublayer comes with the call."""
from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, size, dropout=0.1):
        super().__init__()
        self.norm = nn.LayerNorm(size)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, sublayer, **kwargs):
        return x + self.dropout(sublayer(self.norm(x), **kwargs))
