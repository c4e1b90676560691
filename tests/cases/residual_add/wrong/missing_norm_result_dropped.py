"""One call per line."""
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
        self.layer_norm(x)
        branch = self.fn(x, **kwargs)
        branch = self.resid_drop(branch)
        return x + branch
