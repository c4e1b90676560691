"""Puts input and attention side by side and projects both."""

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
        self.merge = nn.Linear(2 * d, d)

    def forward(self, x):
        x = self.merge(torch.cat((x, self.drop(self.attn(self.ln1(x)))), dim=2))
        return x + self.drop(self.mlp(self.ln2(x)))
