"""Two code paths that compute the same in eval mode."""
from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.sublayer = sublayer
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, **kwargs):
        y = self.sublayer(self.norm(x), **kwargs)
        if not self.training:
            return y + x
        return self.dropout(y) + x
