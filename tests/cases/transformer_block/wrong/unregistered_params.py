"""Pairs of norm and sublayer in a list."""
from torch import nn
from previous_chapters import FeedForward, LayerNorm, MultiHeadAttention


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        d = cfg["emb_dim"]
        att = MultiHeadAttention(d, d, cfg["context_length"], num_heads=cfg["n_heads"], dropout=cfg["drop_rate"],
                                 qkv_bias=cfg["qkv_bias"])
        self.halves = [(LayerNorm(d), att), (LayerNorm(d), FeedForward(cfg))]
        self.drop = nn.Dropout(cfg["drop_rate"])

    def forward(self, x):
        for norm, sublayer in self.halves:
            x = x + self.drop(sublayer(norm(x)))
        return x
