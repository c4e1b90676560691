"""Returns objects whose repr, str, format, hash and length loop or take all memory; right outcome: not even looked at."""
# points: some | verdict: failed
from torch import nn


class Endless:
    def __repr__(self):
        while True:
            pass

    __str__ = __format__ = __hash__ = __len__ = __bool__ = __iter__ = __eq__ = __dir__ = __repr__


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()

    def forward(self, x, **kwargs):
        return [Endless(), (Endless(),), {"a": Endless()}]

    def __repr__(self):
        while True:
            pass
