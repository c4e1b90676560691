"""Nested norm class, own eps attribute."""
import torch
import torch.nn as nn


class ResidualAdd(nn.Module):
    class Norm(nn.Module):
        eps = 1e-5

        def __init__(self, width):
            super().__init__()
            self.weight = nn.Parameter(torch.ones(width))
            self.bias = nn.Parameter(torch.zeros(width))

        def forward(self, x):
            centred = x - x.mean(-1, keepdim=True)
            var = centred.pow(2).mean(-1, keepdim=True)
            return centred / (var + self.eps) ** 0.5 * self.weight + self.bias

    def __init__(self, dim, sublayer, dropout=0.1):
        nn.Module.__init__(self)
        self.norm = ResidualAdd.Norm(dim)
        self.sublayer = sublayer
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, **kwargs):
        return x + self.dropout(self.sublayer(self.norm(x), **kwargs))
