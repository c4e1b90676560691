# tag: dropout-in-eval | checks: is_quiet_in_eval_mode
"""Functional dropout."""
import torch.nn.functional as F
from torch import nn
from previous_chapters import FeedForward, LayerNorm, MultiHeadAttention


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.att = MultiHeadAttention(
            d_in=cfg["emb_dim"],
            d_out=cfg["emb_dim"],
            context_length=cfg["context_length"],
            num_heads=cfg["n_heads"],
            dropout=cfg["drop_rate"],
            qkv_bias=cfg["qkv_bias"])
        self.ff = FeedForward(cfg)
        self.norm1 = LayerNorm(cfg["emb_dim"])
        self.norm2 = LayerNorm(cfg["emb_dim"])
        self.p = cfg["drop_rate"]

    def forward(self, x):
        x = x + F.dropout(self.att(self.norm1(x)), self.p)
        x = x + F.dropout(self.ff(self.norm2(x)), self.p)
        return x
