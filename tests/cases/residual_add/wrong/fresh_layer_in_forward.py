"""Takes the width from the input."""
from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.sublayer = sublayer
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, **kwargs):
        norm = nn.LayerNorm(x.shape[-1], device=x.device, dtype=x.dtype)
        return x + self.dropout(self.sublayer(norm(x), **kwargs))
