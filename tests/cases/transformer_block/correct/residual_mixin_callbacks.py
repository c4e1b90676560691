"""Mixin with a list of (name, function) steps; debugging switches."""
import os, sys, time
import torch
from torch import nn
from previous_chapters import FeedForward, LayerNorm, MultiHeadAttention
DEBUG = False

class ResidualMixin:
    def residual(self, x, *steps):
        y = x
        for step in steps: y = step(y)
        if DEBUG: print(x.norm(), y.norm())
        return x + y

class TransformerBlock(ResidualMixin, nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.cfg = cfg
        self.build()
    def build(self):
        cfg = self.cfg
        self.att = MultiHeadAttention(cfg["emb_dim"], cfg["emb_dim"], cfg["context_length"], num_heads=cfg["n_heads"], dropout=cfg["drop_rate"], qkv_bias=cfg["qkv_bias"])
        self.ff = FeedForward(cfg); self.norm1 = LayerNorm(cfg["emb_dim"]); self.norm2 = LayerNorm(cfg["emb_dim"])
        self.drop = nn.Dropout(cfg["drop_rate"])
    def forward(self, x):
        x = self.residual(x, self.norm1, self.att, self.drop)
        x = self.residual(x, self.norm2, self.ff, self.drop)
        return x
# b = TransformerBlock({"emb_dim": 8, "context_length": 4, "n_heads": 2, "drop_rate": 0., "qkv_bias": True})
# print(b(torch.randn(1, 4, 8)))
if __name__ == "__main__":
    sys.exit(0)
