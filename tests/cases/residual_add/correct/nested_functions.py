"""Nested functions inside forward."""
from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.sublayer = sublayer
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, **kwargs):
        def compose(*fs):
            def run(value):
                for f in fs:
                    value = f(value)
                return value
            return run

        def call(h):
            return self.sublayer(h, **kwargs)

        def with_skip(f):
            return lambda value: value + f(value)

        return with_skip(compose(self.norm, call, self.dropout))(x)
