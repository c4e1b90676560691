# tag: global-state | checks: leaves_global_settings_alone
"""A seed, so that results can be repeated."""

import torch
from torch import nn


class PostNormBlock(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.sublayer = sublayer
        self.norm = nn.LayerNorm(dim)
        self.drop = nn.Dropout(dropout)
        torch.manual_seed(0)

    def forward(self, x):
        return self.norm(x + self.drop(self.sublayer(x)))
