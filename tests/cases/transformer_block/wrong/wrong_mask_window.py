"""Lets each token see the last four tokens only."""

import torch
from torch import nn
from previous_chapters import FeedForward, LayerNorm


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        d, p = cfg["emb_dim"], cfg["drop_rate"]
        self.attn = nn.MultiheadAttention(d, cfg["n_heads"], p, bias=cfg["qkv_bias"], batch_first=True)
        n = cfg["context_length"]
        see = torch.ones(n, n).tril() * torch.ones(n, n).triu(-3)
        self.register_buffer("mask", see == 0)
        self.mlp, self.ln1, self.ln2, self.drop = FeedForward(cfg), LayerNorm(d), LayerNorm(d), nn.Dropout(p)

    def forward(self, x):
        t = x.shape[1]
        h = self.ln1(x)
        x = x + self.drop(self.attn(h, h, h, attn_mask=self.mask[:t, :t], need_weights=False)[0])
        return x + self.drop(self.mlp(self.ln2(x)))
