"""GroupNorm with one group over flattened rows."""
from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.dim = dim
        self.gn = nn.GroupNorm(1, dim)
        self.sublayer = sublayer
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, **kwargs):
        rows = x.reshape(-1, self.dim)
        h = self.gn(rows).reshape(x.shape)
        return x + self.dropout(self.sublayer(h, **kwargs))
