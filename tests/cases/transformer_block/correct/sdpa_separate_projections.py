"""Functional norms, SDPA, own feed forward."""
import torch
import torch.nn.functional as F
from torch import nn


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        d = cfg["emb_dim"]
        self.heads, self.p = cfg["n_heads"], cfg["drop_rate"]
        self.w1, self.b1 = nn.Parameter(torch.ones(d)), nn.Parameter(torch.zeros(d))
        self.w2, self.b2 = nn.Parameter(torch.ones(d)), nn.Parameter(torch.zeros(d))
        self.q = nn.Linear(d, d, bias=cfg["qkv_bias"])
        self.k = nn.Linear(d, d, bias=cfg["qkv_bias"])
        self.v = nn.Linear(d, d, bias=cfg["qkv_bias"])
        self.o = nn.Linear(d, d)
        self.mlp = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(approximate="tanh"), nn.Linear(4 * d, d))

    def attend(self, h):
        b, t, d = h.shape
        q, k, v = (f(h).view(b, t, self.heads, -1).transpose(1, 2) for f in (self.q, self.k, self.v))
        out = F.scaled_dot_product_attention(q, k, v, is_causal=True, dropout_p=self.p if self.training else 0.0)
        return self.o(out.transpose(1, 2).reshape(b, t, d))

    def forward(self, x):
        d = x.shape[-1:]
        x = x + F.dropout(self.attend(F.layer_norm(x, d, self.w1, self.b1)), self.p, self.training)
        return x + F.dropout(self.mlp(F.layer_norm(x, d, self.w2, self.b2)), self.p, self.training)
