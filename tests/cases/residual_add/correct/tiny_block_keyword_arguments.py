"""A TinyBlock that hands keys and values to the attention as keyword arguments, and its own forward of the feed forward."""

import torch
from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.sublayer = sublayer
        self.drop = nn.Dropout(dropout)

    def forward(self, x, **kwargs):
        return x + self.drop(self.sublayer(self.norm(x), **kwargs))


class TinyBlock(nn.Module):
    def __init__(self, dim, heads=2, dropout=0.1):
        super().__init__()
        self.attention = nn.MultiheadAttention(dim, heads, batch_first=True)
        self.up, self.down = nn.Linear(dim, 4 * dim), nn.Linear(4 * dim, dim)
        self.halves = nn.ModuleList([ResidualAdd(dim, self.mix, dropout), ResidualAdd(dim, self.think, dropout)])

    def mix(self, normed, mask=None):
        return self.attention(normed, key=normed, value=normed, attn_mask=mask, need_weights=False)[0]

    def think(self, normed):
        return self.down(nn.functional.gelu(self.up(normed)))

    def forward(self, x, mask=None):
        h = self.halves[0](x, mask=mask)
        return self.halves[1](h)
