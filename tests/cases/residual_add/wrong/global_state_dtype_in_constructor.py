"""Sets the default number type in the constructor."""

import torch
from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        torch.set_default_dtype(torch.bfloat16)
        self.norm = nn.LayerNorm(dim, dtype=torch.float32)
        self.sublayer = sublayer
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, **kwargs):
        return x + self.dropout(self.sublayer(self.norm(x), **kwargs))
