"""Cuts what the sublayer returns to the width of the input."""

import torch
from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.sublayer = sublayer
        self.drop = nn.Dropout(dropout)

    def forward(self, x, **kwargs):
        out = self.sublayer(self.norm(x), **kwargs)
        width = min(x.shape[-1], out.shape[-1])
        return x + nn.functional.pad(self.drop(out[..., :width]), (0, x.shape[-1] - width))
