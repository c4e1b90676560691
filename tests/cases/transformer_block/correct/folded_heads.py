"""Heads folded into the batch, baddbmm with an additive mask."""

import torch
from torch import nn
from previous_chapters import FeedForward, LayerNorm


class Attention(nn.Module):
    def __init__(self, d, context, heads, p, bias):
        super().__init__()
        self.heads = heads
        self.W_qkv = nn.Linear(d, 3 * d, bias=bias)
        self.out = nn.Linear(d, d)
        self.drop = nn.Dropout(p)
        self.register_buffer("penalty", torch.zeros(context, context).masked_fill(torch.ones(context, context).triu(1) == 1, -1e9))

    def forward(self, x):
        b, t, d = x.shape
        e = d // self.heads
        q, k, v = self.W_qkv(x).view(b, t, 3, self.heads, e).permute(2, 0, 3, 1, 4).reshape(3, b * self.heads, t, e)
        mask = self.penalty[:t, :t].to(x.dtype).expand(b * self.heads, t, t)
        w = torch.baddbmm(mask, q, k.transpose(1, 2), alpha=e ** -0.5).softmax(2)
        y = torch.bmm(self.drop(w), v).view(b, self.heads, t, e).permute(0, 2, 1, 3).reshape(b, t, d)
        return self.out(y)


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        d = cfg["emb_dim"]
        self.attn = Attention(d, cfg["context_length"], cfg["n_heads"], cfg["drop_rate"], cfg["qkv_bias"])
        self.mlp, self.ln1, self.ln2 = FeedForward(cfg), LayerNorm(d), LayerNorm(d)
        self.drop = nn.Dropout(cfg["drop_rate"])

    def forward(self, x):
        y = self.attn(self.ln1(x))
        x = x + self.drop(y)
        return x + self.drop(self.mlp(self.ln2(x)))
