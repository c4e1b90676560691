"""Attention written into the block: fused qkv, no attention module."""
import torch
from torch import nn
from previous_chapters import FeedForward, LayerNorm


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        d = cfg["emb_dim"]
        self.n_heads = cfg["n_heads"]
        self.qkv = nn.Linear(d, 3 * d, bias=cfg["qkv_bias"])
        self.proj = nn.Linear(d, d)
        self.attn_drop, self.drop = nn.Dropout(cfg["drop_rate"]), nn.Dropout(cfg["drop_rate"])
        self.register_buffer("mask", torch.tril(torch.ones(cfg["context_length"], cfg["context_length"])) == 0)
        self.ff, self.norm1, self.norm2 = FeedForward(cfg), LayerNorm(d), LayerNorm(d)

    def attention(self, x):
        B, T, D = x.shape
        q, k, v = self.qkv(x).reshape(B, T, 3, self.n_heads, D // self.n_heads).permute(2, 0, 3, 1, 4)
        w = (q @ k.transpose(-1, -2)) / (D // self.n_heads) ** 0.5
        w = self.attn_drop(w.masked_fill(self.mask[:T, :T], float("-inf")).softmax(-1))
        return self.proj((w @ v).transpose(1, 2).reshape(B, T, D))

    def forward(self, x):
        x = x + self.drop(self.attention(self.norm1(x)))
        return x + self.drop(self.ff(self.norm2(x)))
