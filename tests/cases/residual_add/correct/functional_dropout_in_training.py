"""Functional dropout that follows the training flag."""
import torch.nn.functional as F
from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.norm, self.fn, self.rate = nn.LayerNorm(dim), sublayer, dropout

    def forward(self, x, **kwargs):
        return x + F.dropout(self.fn(self.norm(x), **kwargs), p=self.rate, training=self.training)
