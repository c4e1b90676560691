"""Rebinds x at every step and clones the shortcut; prints something at the end of the file."""
import os, sys
import torch
from torch import nn


class ResidualAdd(nn.Module):
    """Pre-norm residual block."""

    def __init__(self, dim: int, sublayer, dropout: float = 0.1):
        super().__init__()
        self.dim = dim
        self.layer_norm = nn.LayerNorm(dim)
        self.fn = sublayer
        self.resid_drop = nn.Dropout(dropout)

    def forward(self, x, **kwargs):
        shortcut = x.clone()
        x = self.layer_norm(x)
        x = self.fn(x, **kwargs)
        x = self.resid_drop(x)
        x = x + shortcut
        return x


# x = torch.randn(2, 3)
# print(x + 1)
print("ResidualAdd is ready")
