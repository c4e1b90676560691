"""Stochastic depth: a branch is dropped for whole images."""

import torch
from torch import nn


class ViTEncoderBlock(nn.Module):
    def __init__(self, dim, heads, dropout):
        super().__init__()
        self.attention = nn.MultiheadAttention(dim, heads, dropout=dropout, batch_first=True)
        self.feed_forward = nn.Sequential(nn.Linear(dim, 4 * dim), nn.GELU(), nn.Linear(4 * dim, dim))
        self.norm1 = nn.LayerNorm(dim)
        self.norm2 = nn.LayerNorm(dim)
        self.rate = dropout

    def forward(self, x):
        n = self.norm1(x)
        h = x + self.drop_path(self.attention(n, n, n, need_weights=False)[0])
        return h + self.drop_path(self.feed_forward(self.norm2(h)))

    def drop_path(self, t):
        if not self.training or not self.rate:
            return t
        return t * (torch.rand(t.shape[0], 1, 1) >= self.rate) / (1 - self.rate)
