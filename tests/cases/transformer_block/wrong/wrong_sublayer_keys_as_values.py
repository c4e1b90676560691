"""Weighs the keys instead of values."""

import torch
from torch import nn
from previous_chapters import FeedForward, LayerNorm


class Attention(nn.Module):
    def __init__(self, d, heads, p, bias):
        super().__init__()
        self.h = heads
        self.q, self.k, self.o = nn.Linear(d, d, bias), nn.Linear(d, d, bias), nn.Linear(d, d)
        self.p = nn.Dropout(p)

    def forward(self, x):
        t = x.shape[1]
        q, k = (f(x).unflatten(-1, (self.h, -1)).transpose(1, 2) for f in (self.q, self.k))
        s = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(torch.ones(t, t, device=x.device).triu(1).bool(), -torch.inf)
        return self.o((self.p(s.softmax(-1)) @ k).transpose(1, 2).flatten(2))


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        d, p = cfg["emb_dim"], cfg["drop_rate"]
        self.attn = Attention(d, cfg["n_heads"], p, cfg["qkv_bias"])
        self.mlp, self.ln1, self.ln2, self.drop = FeedForward(cfg), LayerNorm(d), LayerNorm(d), nn.Dropout(p)

    def forward(self, x):
        x = x + self.drop(self.attn(self.ln1(x)))
        x = x + self.drop(self.mlp(self.ln2(x)))
        return x
