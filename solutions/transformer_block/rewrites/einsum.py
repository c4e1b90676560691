"""Attention as a nested class with einsum."""

import torch
from torch import nn
from previous_chapters import FeedForward, LayerNorm


class TransformerBlock(nn.Module):
    class Attention(nn.Module):
        def __init__(self, d, heads, p, bias):
            super().__init__()
            self.heads = heads
            self.query, self.key, self.value = (nn.Linear(d, d, bias) for _ in "qkv")
            self.out = nn.Linear(d, d)
            self.drop = nn.Dropout(p)

        def forward(self, x):
            b, n, d = x.shape
            h = self.heads
            q = self.query(x).reshape(b, n, h, d // h)
            k = self.key(x).reshape(b, n, h, d // h)
            v = self.value(x).reshape(b, n, h, d // h)
            scores = torch.einsum("bihe,bjhe->bhij", q, k) * (d // h) ** -0.5
            i = torch.arange(n, device=x.device)
            scores = scores.masked_fill(i[None, :] > i[:, None], float("-inf"))
            weights = self.drop(scores.softmax(-1))
            return self.out(torch.einsum("bhij,bjhe->bihe", weights, v).flatten(2))

    def __init__(self, cfg):
        super().__init__()
        d = cfg["emb_dim"]
        self.attention = self.Attention(d, cfg["n_heads"], cfg["drop_rate"], cfg["qkv_bias"])
        self.feed_forward = FeedForward(cfg)
        self.norm_a, self.norm_f = LayerNorm(d), LayerNorm(d)
        self.dropout = nn.Dropout(cfg["drop_rate"])

    def forward(self, x):
        x = self.dropout(self.attention(self.norm_a(x))) + x
        x = self.dropout(self.feed_forward(self.norm_f(x))) + x
        return x
