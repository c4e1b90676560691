"""Works in (tokens, batch, emb_dim) and turns back at the end."""
import torch
from torch import nn
from previous_chapters import FeedForward, LayerNorm


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        d = cfg["emb_dim"]
        self.att = nn.MultiheadAttention(d, cfg["n_heads"], cfg["drop_rate"], bias=cfg["qkv_bias"])
        self.ff, self.norm1, self.norm2 = FeedForward(cfg), LayerNorm(d), LayerNorm(d)
        self.drop = nn.Dropout(cfg["drop_rate"])

    def forward(self, x):
        x = x.transpose(0, 1)
        t = x.size(0)
        mask = torch.triu(torch.ones(t, t, dtype=torch.bool, device=x.device), 1)
        n = self.norm1(x)
        x = x + self.drop(self.att(n, n, n, attn_mask=mask, need_weights=False)[0])
        x = x + self.drop(self.ff(self.norm2(x)))
        return x.transpose(0, 1)
