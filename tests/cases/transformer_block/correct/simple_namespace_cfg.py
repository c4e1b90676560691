"""Reads cfg through a SimpleNamespace."""
from types import SimpleNamespace

from torch import nn
from previous_chapters import FeedForward, LayerNorm, MultiHeadAttention


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super(TransformerBlock, self).__init__()
        ns = SimpleNamespace(**cfg)
        self.att = MultiHeadAttention(ns.emb_dim, ns.emb_dim, ns.context_length, num_heads=ns.n_heads,
                                      dropout=ns.drop_rate, qkv_bias=ns.qkv_bias)
        self.ff = FeedForward(vars(ns))
        self.norm1, self.norm2 = LayerNorm(ns.emb_dim), LayerNorm(ns.emb_dim)
        self.drop1, self.drop2 = nn.Dropout(ns.drop_rate), nn.Dropout(ns.drop_rate)

    def forward(self, x):
        x = self.drop1(self.att(self.norm1(x))) + x
        x = self.drop2(self.ff(self.norm2(x))) + x
        return x
