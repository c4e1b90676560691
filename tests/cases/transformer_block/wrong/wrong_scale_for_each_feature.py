"""Multiplies both branches with a trained factor for each feature."""

import torch
from torch import nn
from previous_chapters import FeedForward, LayerNorm, MultiHeadAttention


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        d, p = cfg["emb_dim"], cfg["drop_rate"]
        self.attn = MultiHeadAttention(d, d, cfg["context_length"], num_heads=cfg["n_heads"], dropout=p,
                                       qkv_bias=cfg["qkv_bias"])
        self.mlp = FeedForward(cfg)
        self.ln1 = LayerNorm(d)
        self.ln2 = LayerNorm(d)
        self.drop = nn.Dropout(p)
        self.gamma1 = nn.Parameter(torch.full((d,), 0.1))
        self.gamma2 = nn.Parameter(torch.full((d,), 0.1))

    def forward(self, x):
        x = x + self.gamma1 * self.drop(self.attn(self.ln1(x)))
        x = x + self.gamma2 * self.drop(self.mlp(self.ln2(x)))
        return x
