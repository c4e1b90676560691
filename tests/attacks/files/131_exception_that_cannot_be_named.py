"""Raises an exception whose class has no readable name; right outcome: a verdict, never our fault."""
# points: none | verdict: any
from torch import nn


class Meta(type):
    __name__ = property(lambda cls: 1 / 0)


class Nameless(Exception, metaclass=Meta):
    def __str__(self):
        raise KeyboardInterrupt

    __repr__ = __str__
    __traceback__ = property(lambda self: 1 / 0)


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()

    def forward(self, x, **kwargs):
        raise Nameless
