"""A norm that divides zero by zero."""

import torch
from torch import nn


class Norm(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.scale, self.shift = nn.Parameter(torch.ones(dim)), nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        return self.scale * (x - x.mean(-1, keepdim=True)) / x.std(-1, keepdim=True, correction=0) + self.shift


class ViTEncoderBlock(nn.Module):
    def __init__(self, dim, heads, dropout):
        super().__init__()
        self.attention = nn.MultiheadAttention(dim, heads, dropout=dropout, batch_first=True)
        self.feed_forward = nn.Sequential(nn.Linear(dim, 4 * dim), nn.GELU(), nn.Linear(4 * dim, dim))
        self.norm1 = Norm(dim)
        self.norm2 = Norm(dim)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        n = self.norm1(x)
        h = x + self.drop(self.attention(n, n, n, need_weights=False)[0])
        return h + self.drop(self.feed_forward(self.norm2(h)))
