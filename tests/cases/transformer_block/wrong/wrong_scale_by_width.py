"""Divides the scores by the root of the whole width."""

import torch
import torch.nn.functional as F
from torch import nn
from previous_chapters import FeedForward, LayerNorm


class Attention(nn.Module):
    def __init__(self, d, heads, p, bias):
        super().__init__()
        self.heads, self.p = heads, p
        self.qkv, self.out = nn.Linear(d, 3 * d, bias=bias), nn.Linear(d, d)

    def forward(self, x):
        d = x.shape[-1]
        q, k, v = (z.unflatten(-1, (self.heads, -1)).transpose(1, 2) for z in self.qkv(x).chunk(3, dim=-1))
        y = F.scaled_dot_product_attention(q, k, v, dropout_p=self.p if self.training else 0, is_causal=True, scale=d ** -0.5)
        return self.out(y.transpose(1, 2).flatten(2))


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
