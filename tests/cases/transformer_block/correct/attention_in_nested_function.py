"""Four linear layers, attention as a function inside forward."""
import math
import torch
from torch import nn
from previous_chapters import FeedForward, LayerNorm


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        d = cfg["emb_dim"]
        self.cfg = cfg
        self.linear = nn.ModuleDict({n: nn.Linear(d, d, bias=cfg["qkv_bias"] or n == "o") for n in "qkvo"})
        self.norms = nn.ModuleList(LayerNorm(d) for _ in range(2))
        self.ff, self.drop = FeedForward(cfg), nn.Dropout(cfg["drop_rate"])

    def forward(self, x):
        b, t, d = x.shape
        h = self.cfg["n_heads"]

        def attention(z):
            out = []
            q, k, v = (self.linear[n](z) for n in "qkv")
            for i in range(h):
                part = slice(i * d // h, (i + 1) * d // h)
                scores = q[..., part] @ k[..., part].transpose(1, 2) / math.sqrt(d // h)
                scores[:, torch.ones(t, t, dtype=torch.bool).triu(1)] = float("-inf")
                out.append(self.drop(scores.softmax(-1)) @ v[..., part])
            return self.linear["o"](torch.cat(out, -1))

        x = x + self.drop(attention(self.norms[0](x)))
        return x + self.drop(self.ff(self.norms[1](x)))
