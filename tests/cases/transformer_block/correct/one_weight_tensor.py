"""All projections of the attention in one parameter of shape (4, d, d)."""

import math
import torch
import torch.nn.functional as F
from torch import nn
from previous_chapters import FeedForward, LayerNorm


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        d = self.d = cfg["emb_dim"]
        self.h, self.p = cfg["n_heads"], cfg["drop_rate"]
        self.w = nn.Parameter(torch.empty(4, d, d))
        for matrix in self.w:
            nn.init.kaiming_uniform_(matrix, a=math.sqrt(5))
        self.b = nn.Parameter(torch.empty(4 if cfg["qkv_bias"] else 1, d).uniform_(-d ** -0.5, d ** -0.5))
        self.ff = FeedForward(cfg)
        self.norm1, self.norm2 = LayerNorm(d), LayerNorm(d)

    def attention(self, x):
        t = x.size(1)
        qkv = torch.einsum("btd,ced->cbte", x, self.w[:3])
        if len(self.b) == 4:
            qkv = qkv + self.b[:3, None, None]
        q, k, v = qkv.unflatten(-1, (self.h, -1)).transpose(2, 3)
        allowed = torch.ones(t, t, dtype=torch.bool, device=x.device).tril()
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=allowed, dropout_p=self.p * self.training)
        return F.linear(y.transpose(1, 2).flatten(2), self.w[3], self.b[-1])

    def forward(self, x):
        x = x + F.dropout(self.attention(self.norm1(x)), self.p, self.training)
        x = x + F.dropout(self.ff(self.norm2(x)), self.p, self.training)
        return x
