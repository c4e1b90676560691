"""Registers its parts in a loop."""
from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        for name, part in {"norm": nn.LayerNorm(dim), "drop": nn.Dropout(dropout)}.items():
            self.register_module(name, part)
        setattr(self, "body", sublayer)

    def forward(self, x, **kwargs):
        h = x
        for name in ("norm", "body", "drop"):
            layer = getattr(self, name)
            h = layer(h, **kwargs) if name == "body" else layer(h)
        return sum([x, h])
