"""Parts live in one ModuleList, properties give them names."""
from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self._parts = nn.ModuleList([nn.LayerNorm(dim), nn.Dropout(dropout)])
        self._fn = sublayer

    @property
    def norm(self):
        return self._parts[0]

    @property
    def dropout(self):
        return self._parts[-1]

    def branch(self, x, kwargs):
        return self.dropout(self._fn(self.norm(x), **kwargs))

    def forward(self, x, **kwargs):
        return self.branch(x, kwargs).add(x)
