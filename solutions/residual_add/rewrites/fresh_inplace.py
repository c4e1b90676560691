"""Adds in place, but on a tensor it has made itself."""
import torch
from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.sublayer = sublayer
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, **kwargs):
        out = torch.zeros_like(x)
        out += x
        out += self.dropout(self.sublayer(self.norm(x), **kwargs))
        return out
