# verdict: failed | costs: keeps_the_shape, adds_the_input_back, normalises_before_the_sublayer, lets_the_gradient_through | says: returned shape ()
import torch
from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.sublayer = sublayer
        self.drop = nn.Dropout(dropout)

    def forward(self, x, **kwargs):
        y = x + self.drop(self.sublayer(self.norm(x), **kwargs))
        return y.mean()
