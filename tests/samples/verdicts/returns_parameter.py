# verdict: failed | costs: has_a_norm_of_its_own, registers_the_sublayer, lets_the_gradient_through | says: makes new layers each time it is called
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
        return nn.Parameter(y)
