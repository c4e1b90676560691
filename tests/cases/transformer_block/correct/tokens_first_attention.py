"""nn.MultiheadAttention(tokens first) with transposes and the is_causal hint."""

import torch
from torch import nn
from previous_chapters import FeedForward, LayerNorm


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        d = cfg["emb_dim"]
        self.mha = nn.MultiheadAttention(embed_dim=d, num_heads=cfg["n_heads"], dropout=cfg["drop_rate"], bias=cfg["qkv_bias"])
        self.register_buffer("mask", torch.ones(cfg["context_length"], cfg["context_length"]).triu(1).bool(), persistent=False)
        self.ff, self.n1, self.n2 = FeedForward(cfg), LayerNorm(d), LayerNorm(d)
        self.drop = nn.Dropout(cfg["drop_rate"])

    def attend(self, h):
        h = h.transpose(0, 1)
        t = h.shape[0]
        out, _ = self.mha(h, h, h, attn_mask=self.mask[:t, :t], is_causal=True, need_weights=False)
        return out.transpose(0, 1)

    def forward(self, x):
        x = x + self.drop(self.attend(self.n1(x)))
        return x + self.drop(self.ff(self.n2(x)))
