"""One class, parameters only."""
import math

import torch
from torch import nn


def uniform(*shape, fan_in):
    bound = 1 / math.sqrt(fan_in)
    return nn.Parameter(torch.empty(*shape).uniform_(-bound, bound))


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        d, self.H, self.p = cfg["emb_dim"], cfg["n_heads"], cfg["drop_rate"]
        self.Wq, self.Wk, self.Wv, self.Wo = (uniform(d, d, fan_in=d) for _ in range(4))
        if cfg["qkv_bias"]:
            self.bq, self.bk, self.bv = (uniform(d, fan_in=d) for _ in range(3))
        else:
            self.bq = self.bk = self.bv = None
        self.bo = uniform(d, fan_in=d)
        self.W1, self.c1 = uniform(d, 4 * d, fan_in=d), uniform(4 * d, fan_in=d)
        self.W2, self.c2 = uniform(4 * d, d, fan_in=4 * d), uniform(d, fan_in=4 * d)
        self.g1, self.g2 = nn.Parameter(torch.ones(d)), nn.Parameter(torch.ones(d))
        self.s1, self.s2 = nn.Parameter(torch.zeros(d)), nn.Parameter(torch.zeros(d))

    def ln(self, x, g, s):
        m = x.mean(-1, keepdim=True)
        v = ((x - m) ** 2).mean(-1, keepdim=True)
        return (x - m) / torch.sqrt(v + 1e-5) * g + s

    def drop(self, x):
        return torch.dropout(x, self.p, self.training)

    def lin(self, x, W, b):
        return x @ W if b is None else x @ W + b

    def attn(self, x):
        B, T, D = x.shape
        split = lambda t: t.reshape(B, T, self.H, D // self.H).permute(0, 2, 1, 3)
        q, k, v = split(self.lin(x, self.Wq, self.bq)), split(self.lin(x, self.Wk, self.bk)), split(self.lin(x, self.Wv, self.bv))
        s = q @ k.mT / math.sqrt(D // self.H)
        s = s + torch.full((T, T), float("-inf"), dtype=x.dtype, device=x.device).triu(1)
        w = self.drop(torch.softmax(s, -1))
        return (w @ v).permute(0, 2, 1, 3).reshape(B, T, D) @ self.Wo + self.bo

    def ffn(self, x):
        u = x @ self.W1 + self.c1
        u = 0.5 * u * (1 + torch.tanh(math.sqrt(2 / math.pi) * (u + 0.044715 * u.pow(3))))
        return u @ self.W2 + self.c2

    def forward(self, x):
        x = x + self.drop(self.attn(self.ln(x, self.g1, self.s1)))
        return x + self.drop(self.ffn(self.ln(x, self.g2, self.s2)))
