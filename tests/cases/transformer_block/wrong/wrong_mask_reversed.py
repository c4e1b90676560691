"""Own attention with tril."""
import torch
from torch import nn
from previous_chapters import FeedForward, LayerNorm


class Attention(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        d = cfg["emb_dim"]
        self.heads = cfg["n_heads"]
        self.q = nn.Linear(d, d, bias=cfg["qkv_bias"])
        self.k = nn.Linear(d, d, bias=cfg["qkv_bias"])
        self.v = nn.Linear(d, d, bias=cfg["qkv_bias"])
        self.out = nn.Linear(d, d)
        self.drop = nn.Dropout(cfg["drop_rate"])
        n = cfg["context_length"]
        self.register_buffer("mask", torch.tril(torch.ones(n, n), diagonal=-1).bool())

    def forward(self, x):
        b, n, d = x.shape
        q, k, v = (f(x).view(b, n, self.heads, -1).transpose(1, 2) for f in (self.q, self.k, self.v))
        scores = q @ k.mT / (d // self.heads) ** 0.5
        scores = scores.masked_fill(self.mask[:n, :n], float("-inf"))
        weights = self.drop(torch.softmax(scores, dim=-1))
        return self.out((weights @ v).transpose(1, 2).reshape(b, n, d))


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.att = Attention(cfg)
        self.ff = FeedForward(cfg)
        self.norm1 = LayerNorm(cfg["emb_dim"])
        self.norm2 = LayerNorm(cfg["emb_dim"])
        self.drop_shortcut = nn.Dropout(cfg["drop_rate"])

    def forward(self, x):
        x = x + self.drop_shortcut(self.att(self.norm1(x)))
        x = x + self.drop_shortcut(self.ff(self.norm2(x)))
        return x
