"""Stacks the two paths and sums over the stack."""
import torch
from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.sublayer = sublayer
        self.norm = nn.LayerNorm(dim)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, **kwargs):
        paths = [x, self.dropout(self.sublayer(self.norm(x), **kwargs))]
        return torch.stack(paths).sum(0)
