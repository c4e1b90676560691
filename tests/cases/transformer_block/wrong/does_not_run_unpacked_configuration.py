"""Unpacks the values of the configuration, which holds more than five."""

import torch
from torch import nn
from previous_chapters import FeedForward, LayerNorm, MultiHeadAttention


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        width, length, heads, rate, bias = cfg.values()
        self.att = MultiHeadAttention(
            width, width, length, num_heads=heads, dropout=rate, qkv_bias=bias
        )
        self.ff = FeedForward(cfg)
        self.norm1 = LayerNorm(width)
        self.norm2 = LayerNorm(width)
        self.drop = nn.Dropout(rate)

    def forward(self, x):
        x = x + self.drop(self.att(self.norm1(x)))
        return x + self.drop(self.ff(self.norm2(x)))
