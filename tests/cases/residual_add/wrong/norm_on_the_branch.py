"""Step by step with a saved input."""
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
        residual = x
        x = self.fn(x, **kwargs)
        x = self.layer_norm(x)
        x = self.resid_drop(x)
        return residual + x
