"""Attends token by token, without a mask."""
import torch
from torch import nn
from previous_chapters import FeedForward, LayerNorm


class LoopAttention(nn.Module):
    def __init__(self, d, heads, p, bias):
        super().__init__()
        self.h = heads
        self.to_qkv = nn.ModuleDict({n: nn.Linear(d, d, bias=bias) for n in "qkv"})
        self.mix = nn.Linear(d, d)
        self.p = nn.Dropout(p)

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = (self.to_qkv[n](x).view(b, t, self.h, d // self.h) for n in "qkv")
        rows = []
        for i in range(t):
            past_k, past_v = k[:, : i + 1], v[:, : i + 1]
            score = (q[:, i : i + 1] * past_k).sum(-1) / (d // self.h) ** 0.5   # b, i+1, h
            weight = self.p(score.softmax(dim=1)).unsqueeze(-1)
            rows.append((weight * past_v).sum(1).reshape(b, d))
        return self.mix(torch.stack(rows, dim=1))


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.att = LoopAttention(cfg["emb_dim"], cfg["n_heads"], cfg["drop_rate"], cfg["qkv_bias"])
        self.ff = FeedForward(cfg)
        self.norm1, self.norm2 = LayerNorm(cfg["emb_dim"]), LayerNorm(cfg["emb_dim"])
        self.drop = nn.Dropout(cfg["drop_rate"])

    def forward(self, x):
        x = x + self.drop(self.att(self.norm1(x)))
        return x + self.drop(self.ff(self.norm2(x)))
