"""Multiplies the branch with a trained factor for each feature."""

import torch
from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1, init=1e-4):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.sublayer = sublayer
        self.dropout = nn.Dropout(dropout)
        self.gamma = nn.Parameter(init * torch.ones(dim))

    def forward(self, x, **kwargs):
        return x + self.dropout(self.gamma * self.sublayer(self.norm(x), **kwargs))
