"""Hand-written dropout."""
import torch
from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.sublayer = sublayer
        self.p = dropout

    def forward(self, x, **kwargs):
        y = self.sublayer(self.norm(x), **kwargs)
        if self.training:
            y = y * (torch.rand_like(y) >= self.p)
        return x + y
