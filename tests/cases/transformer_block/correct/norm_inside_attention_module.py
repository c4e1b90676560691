"""Norm, attention and dropout in one module; the shortcut outside."""
import torch.nn.functional as F
from torch import nn
from previous_chapters import GELU, LayerNorm


class NormedAttention(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        d = cfg["emb_dim"]
        self.cfg = cfg
        self.norm = LayerNorm(d)
        self.to_qkv = nn.Linear(d, 3 * d, bias=cfg["qkv_bias"])
        self.to_out = nn.Sequential(nn.Linear(d, d), nn.Dropout(cfg["drop_rate"]))

    def forward(self, x):
        h = self.cfg["n_heads"]
        q, k, v = (t.unflatten(-1, (h, -1)).transpose(1, 2) for t in self.to_qkv(self.norm(x)).chunk(3, -1))
        p = self.cfg["drop_rate"] if self.training else 0.0
        return self.to_out(F.scaled_dot_product_attention(q, k, v, dropout_p=p, is_causal=True).transpose(1, 2).flatten(2))


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        d = cfg["emb_dim"]
        self.attend = NormedAttention(cfg)
        self.think = nn.Sequential(LayerNorm(d), nn.Linear(d, 4 * d), GELU(), nn.Linear(4 * d, d), nn.Dropout(cfg["drop_rate"]))

    def forward(self, x):
        x = self.attend(x) + x
        return self.think(x) + x
