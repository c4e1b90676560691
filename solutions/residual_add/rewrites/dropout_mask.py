"""Inverted dropout written by hand with a Bernoulli mask."""
import torch
from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.sublayer = sublayer
        self.keep = 1.0 - dropout

    def forward(self, x, **kwargs):
        y = self.sublayer(self.norm(x), **kwargs)
        if self.training and self.keep < 1.0:
            mask = torch.bernoulli(torch.full_like(y, self.keep))
            y = y * mask / self.keep
        return x + y
