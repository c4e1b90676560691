"""Leaves the output projection of the attention out."""

import torch.nn.functional as F
from torch import nn
from previous_chapters import FeedForward, LayerNorm


class Attention(nn.Module):
    def __init__(self, d, heads, p, bias):
        super().__init__()
        self.heads, self.p = heads, p
        self.qkv = nn.Linear(d, 3 * d, bias=bias)

    def forward(self, x):
        q, k, v = (z.unflatten(-1, (self.heads, -1)).transpose(1, 2) for z in self.qkv(x).chunk(3, dim=-1))
        y = F.scaled_dot_product_attention(q, k, v, dropout_p=self.p if self.training else 0, is_causal=True)
        return y.transpose(1, 2).flatten(2)


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
