"""Adds nothing back in the first half and normalises the sum of the second."""

from torch import nn
from previous_chapters import FeedForward, LayerNorm, MultiHeadAttention


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        d, p = cfg["emb_dim"], cfg["drop_rate"]
        self.attn = MultiHeadAttention(d, d, cfg["context_length"], num_heads=cfg["n_heads"], dropout=p,
                                       qkv_bias=cfg["qkv_bias"])
        self.mlp = FeedForward(cfg)
        self.ln1 = LayerNorm(d)
        self.ln2 = LayerNorm(d)
        self.drop = nn.Dropout(p)

    def forward(self, x):
        h = self.drop(self.attn(self.ln1(x)))
        return self.ln2(h + self.drop(self.mlp(h)))
