"""Hands a lambda to the TinyBlock that captures its attention, as the lesson's own listing does."""

import itertools
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
        attn = nn.MultiheadAttention(dim, heads, batch_first=True)
        ffn = nn.Sequential(nn.Linear(dim, 4 * dim), nn.GELU(), nn.Linear(4 * dim, dim))
        self.attn_block = ResidualAdd(dim, lambda h: attn(h, h, h, need_weights=False)[0], dropout)
        self.ffn_block = ResidualAdd(dim, ffn, dropout)

    def forward(self, x):
        return self.ffn_block(self.attn_block(x))


def count_parameters(model):
    return sum(p.numel() for p in model.parameters())


if __name__ == '__main__':
    print('loaded', __name__)
