"""Writes the result into the tensor of the caller, past autograd."""

import torch
from torch import nn
from previous_chapters import FeedForward, LayerNorm, MultiHeadAttention


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        width, length = cfg["emb_dim"], cfg["context_length"]
        heads, rate, bias = cfg["n_heads"], cfg["drop_rate"], cfg["qkv_bias"]
        self.att = MultiHeadAttention(
            width, width, length, num_heads=heads, dropout=rate, qkv_bias=bias
        )
        self.ff = FeedForward(cfg)
        self.norm1 = LayerNorm(width)
        self.norm2 = LayerNorm(width)
        self.drop = nn.Dropout(rate)

    def forward(self, x):
        h = x + self.drop(self.att(self.norm1(x.clone())))
        out = h + self.drop(self.ff(self.norm2(h)))
        x.data.copy_(out.data)
        return out
