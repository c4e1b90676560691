"""Everything as methods of the block."""
import torch
from torch import nn
from previous_chapters import GELU, LayerNorm, MultiHeadAttention


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.cfg = dict(cfg)
        e = self.cfg["emb_dim"]
        self.widen = nn.Linear(e, e * 4)
        self.narrow = nn.Linear(e * 4, e)
        self.act = GELU()
        self.n = nn.ModuleList(LayerNorm(e) for _ in range(2))
        self.drop_a, self.drop_f = nn.Dropout(cfg["drop_rate"]), nn.Dropout(cfg["drop_rate"])
        kw = {"num_heads": cfg["n_heads"], "dropout": cfg["drop_rate"], "qkv_bias": cfg["qkv_bias"]}
        self.mha = MultiHeadAttention(e, e, cfg["context_length"], **kw)

    def attention_half(self, x):
        return x + self.drop_a(self.mha(self.n[0](x)))

    def feed_forward(self, h):
        return self.narrow(self.act(self.widen(h)))

    def feed_forward_half(self, x):
        return x + self.drop_f(self.feed_forward(self.n[1](x)))

    def forward(self, x):
        return self.feed_forward_half(self.attention_half(x))
