"""Inverted dropout by hand."""

import torch
from torch import nn


class PostNormBlock(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.sublayer = sublayer
        self.keep = 1 - dropout
        self.norm = nn.LayerNorm(dim, eps=1e-6)

    def forward(self, x):
        branch = self.sublayer(x)
        if self.training and self.keep < 1:
            branch = branch * (torch.rand_like(branch) < self.keep) / self.keep
        return self.norm(x + branch)
