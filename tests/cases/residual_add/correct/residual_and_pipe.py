"""A pipe that hands keyword arguments to its middle part."""
from torch import nn


class Pipe(nn.Module):
    def __init__(self, before, middle, after):
        super().__init__()
        self.before, self.middle, self.after = before, middle, after

    def forward(self, x, **kwargs):
        return self.after(self.middle(self.before(x), **kwargs))


class Residual(nn.Module):
    def __init__(self, fn):
        super().__init__()
        self.fn = fn

    def forward(self, x, **kwargs):
        return self.fn(x, **kwargs) + x


class ResidualAdd(Residual):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__(Pipe(nn.LayerNorm(dim), sublayer, nn.Dropout(dropout)))
