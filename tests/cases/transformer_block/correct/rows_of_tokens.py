"""Flattens the tokens for the second half."""

from torch import nn
from previous_chapters import FeedForward, LayerNorm, MultiHeadAttention


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        d, p = cfg["emb_dim"], cfg["drop_rate"]
        self.attn = MultiHeadAttention(d, d, cfg["context_length"], num_heads=cfg["n_heads"], dropout=p, qkv_bias=cfg["qkv_bias"])
        self.mlp, self.ln1, self.ln2, self.drop = FeedForward(cfg), LayerNorm(d), LayerNorm(d), nn.Dropout(p)

    def forward(self, x):
        x = x + self.drop(self.attn(self.ln1(x)))
        rows = x.reshape(-1, x.shape[-1])
        rows = rows + self.drop(self.mlp(self.ln2(rows)))
        return rows.view_as(x)
