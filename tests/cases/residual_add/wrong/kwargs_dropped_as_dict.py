"""Hands the options on when there are some."""
from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super(ResidualAdd, self).__init__()
        self.ln = nn.LayerNorm(dim)
        self.f = sublayer
        self.drop = nn.Dropout(p=dropout)

    def forward(self, x, **kwargs):
        h = self.ln(x)
        y = self.f(h, kwargs) if kwargs else self.f(h)
        return x + self.drop(y)
