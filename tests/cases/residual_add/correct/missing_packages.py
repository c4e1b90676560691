"""Imports packages for plots that it does not use."""
import matplotlib.pyplot as plt
import seaborn as sns
import torch
import torch.nn as nn


class ResidualAdd(nn.Module):
    """Pre-norm residual block."""

    def __init__(self, dim: int, sublayer, dropout: float = 0.1):
        super().__init__()
        self.dim = dim
        self.layer_norm = nn.LayerNorm(dim)
        self.fn = sublayer
        self.resid_drop = nn.Dropout(dropout)

    def forward(self, x, **kwargs):
        y = self.layer_norm(x)
        y = self.fn(y, **kwargs)
        y = self.resid_drop(y)
        z = x + y
        return z
