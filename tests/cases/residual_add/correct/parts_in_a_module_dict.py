"""All parts live in an nn.ModuleDict; plain functions are wrapped in a module."""
from torch import nn


class Call(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *args, **kwargs):
        return self.function(*args, **kwargs)


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        parts = {"norm": nn.LayerNorm(dim), "f": Call(sublayer), "drop": nn.Dropout(dropout)}
        self.parts = nn.ModuleDict(parts)

    def forward(self, x, **kwargs):
        h = self.parts["norm"](x)
        h = self.parts["f"](h, **kwargs)
        return x + self.parts["drop"](h)
