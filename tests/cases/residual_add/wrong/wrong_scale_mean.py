"""Keeps the variance of the sum under control."""
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
        branch = self.resid_drop(self.fn(self.layer_norm(x), **kwargs))
        return (x + branch) / 2
