"""Keeps a copy of the input as shortcut."""
from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super(ResidualAdd, self).__init__()
        self.ln = nn.LayerNorm(dim)
        self.f = sublayer
        self.drop = nn.Dropout(p=dropout)

    def forward(self, x, **kwargs):
        shortcut = x.clone().detach()
        return shortcut + self.drop(self.f(self.ln(x), **kwargs))
