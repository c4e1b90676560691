"""torch.native_dropout, which returns the mask as well."""
import torch
from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.sublayer = sublayer
        self.rate = float(dropout)

    def forward(self, x, **kwargs):
        y = self.sublayer(self.norm(x), **kwargs)
        y, _mask = torch.native_dropout(y, self.rate, self.training)
        return y + x
