"""A TinyBlock with an attention of its own: one layer for queries, keys and values, and a fused product."""

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


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.project = nn.Linear(width, width)

    def forward(self, x):
        batch, tokens, width = x.shape
        q, k, v = self.qkv(x).view(batch, tokens, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        mixed = nn.functional.scaled_dot_product_attention(q, k, v)
        return self.project(mixed.transpose(1, 2).reshape(batch, tokens, width))


class FeedForward(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x):
        return self.layers(x)


class TinyBlock(nn.Module):
    def __init__(self, d_model=64, nhead=4):
        super().__init__()
        self.layers = nn.ModuleDict()
        self.layers["attend"] = ResidualAdd(d_model, Attention(d_model, nhead))
        self.layers["think"] = ResidualAdd(d_model, FeedForward(d_model))

    def forward(self, x):
        for layer in self.layers.values():
            x = layer(x)
        return x
