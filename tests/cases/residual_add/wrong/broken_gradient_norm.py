"""Saves memory in the first step."""
import torch
from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.sublayer = sublayer
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, **kwargs):
        with torch.no_grad():
            h = self.norm(x)
        return x + self.dropout(self.sublayer(h, **kwargs))
