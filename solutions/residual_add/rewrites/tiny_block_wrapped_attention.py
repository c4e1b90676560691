"""A TinyBlock whose attention is wrapped in a module, and whose halves are an nn.Sequential."""

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


class SelfAttention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.inner = nn.MultiheadAttention(width, heads, batch_first=True)

    def forward(self, x):
        result, _ = self.inner(x, x, x)
        return result


class TinyBlock(nn.Sequential):
    def __init__(self, d_model=64, nhead=4):
        wide = nn.Sequential(nn.Linear(d_model, 4 * d_model), nn.GELU(approximate="tanh"), nn.Linear(4 * d_model, d_model))
        super().__init__(ResidualAdd(d_model, SelfAttention(d_model, nhead)), ResidualAdd(d_model, wide))
