# verdict: failed | costs: all | says: `ResidualAdd` is a plain class
from torch import nn


class ResidualAdd:
    def __init__(self, dim, sublayer, dropout=0.1):
        self.norm = nn.LayerNorm(dim)
        self.sublayer = sublayer

    def __call__(self, x, **kwargs):
        return x + self.sublayer(self.norm(x), **kwargs)
