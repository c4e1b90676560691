"""Own layer norm with other parameter names and biased variance."""
import torch
from torch import nn


class Standardise(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(width))
        self.offset = nn.Parameter(torch.zeros(width))

    def forward(self, t):
        centred = t - t.mean(dim=-1, keepdim=True)
        variance = (centred * centred).mean(dim=-1, keepdim=True)
        return centred * torch.rsqrt(variance + 1e-5) * self.gain + self.offset


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.standardise = Standardise(dim)
        self.sublayer = sublayer
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, **kwargs):
        return x + self.dropout(self.sublayer(self.standardise(x), **kwargs))
