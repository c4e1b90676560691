"""Functional norm and dropout; the norm's parameters are the block's own."""

import torch
import torch.nn.functional as F
from torch import nn


class PostNormBlock(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.sublayer = sublayer
        self.rate = dropout
        self.weight = nn.Parameter(torch.ones(dim))
        self.bias = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        branch = F.dropout(self.sublayer(x), self.rate, training=self.training)
        return F.layer_norm(x + branch, (x.shape[-1],), self.weight, self.bias)
