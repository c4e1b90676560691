"""Uses one scale and one shift for all features."""

import torch
import torch.nn.functional as F
from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.scale, self.shift = nn.Parameter(torch.ones(1)), nn.Parameter(torch.zeros(1))
        self.sublayer = sublayer
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, **kwargs):
        h = F.layer_norm(x, x.shape[-1:]) * self.scale + self.shift
        return x + self.dropout(self.sublayer(h, **kwargs))
