# verdict: passed | costs: none | says: No module named 'my_layers'
import torch
from torch import nn

import my_layers

LayerNorm = my_layers.LayerNorm(4)


class Base(my_layers.Block):
    pass


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.sublayer = sublayer
        self.drop = nn.Dropout(dropout)

    def forward(self, x, **kwargs):
        return x + self.drop(self.sublayer(self.norm(x), **kwargs))
