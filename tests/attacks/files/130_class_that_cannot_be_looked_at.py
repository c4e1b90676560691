"""Raises SystemExit and loops from every special method that a describer may use; right outcome: a verdict, never our fault."""
# points: none | verdict: any
from torch import nn


class Meta(type):
    def __getattribute__(cls, name):
        if name in ("forward", "__module__", "__name__", "__qualname__"):
            raise SystemExit(name)
        return type.__getattribute__(cls, name)


class ResidualAdd(nn.Module, metaclass=Meta):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()

    def forward(self, x, **kwargs):
        return x
