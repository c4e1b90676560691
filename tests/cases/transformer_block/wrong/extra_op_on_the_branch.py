"""Applies an activation to what the attention returns."""

import torch
import torch.nn as nn
from previous_chapters import MultiHeadAttention, FeedForward, LayerNorm, GELU


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.att = MultiHeadAttention(
            d_in=cfg["emb_dim"],
            d_out=cfg["emb_dim"],
            context_length=cfg["context_length"],
            num_heads=cfg["n_heads"],
            dropout=cfg["drop_rate"],
            qkv_bias=cfg["qkv_bias"])
        self.ff = FeedForward(cfg)
        self.norm1 = LayerNorm(cfg["emb_dim"])
        self.norm2 = LayerNorm(cfg["emb_dim"])
        self.drop_shortcut = nn.Dropout(cfg["drop_rate"])
        self.gelu = GELU()

    def forward(self, x):
        x = x + self.drop_shortcut(self.gelu(self.att(self.norm1(x))))
        return x + self.drop_shortcut(self.ff(self.norm2(x)))
