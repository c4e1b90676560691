"""Dropout and norm each in a sequence, called one after the other."""

from torch import nn


class Call(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x):
        return self.function(x)


class Add(nn.Module):
    def __init__(self, *layers):
        super().__init__()
        self.branch = nn.Sequential(*layers)

    def forward(self, x):
        return x + self.branch(x)


class PostNormBlock(nn.Sequential):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__(Add(Call(sublayer), nn.Dropout(dropout)), nn.LayerNorm(dim))
