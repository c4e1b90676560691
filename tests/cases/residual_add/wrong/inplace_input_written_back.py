"""Writes the result into the tensor of the caller, past autograd."""

import torch
from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.sublayer = sublayer
        self.drop = nn.Dropout(dropout)

    def forward(self, x, **kwargs):
        out = x + self.drop(self.sublayer(self.norm(x.clone()), **kwargs))
        x.data.copy_(out.data)
        return out
