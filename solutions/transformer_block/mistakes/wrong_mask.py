# tag: wrong-mask | checks: does_not_look_ahead
"""Attention from torch."""
from torch import nn
from previous_chapters import FeedForward, LayerNorm


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.att = nn.MultiheadAttention(cfg["emb_dim"], cfg["n_heads"], dropout=cfg["drop_rate"],
                                         bias=cfg["qkv_bias"], batch_first=True)
        self.ff = FeedForward(cfg)
        self.norm1 = LayerNorm(cfg["emb_dim"])
        self.norm2 = LayerNorm(cfg["emb_dim"])
        self.drop_shortcut = nn.Dropout(cfg["drop_rate"])

    def forward(self, x):
        n = self.norm1(x)
        attended, _ = self.att(n, n, n, need_weights=False)
        x = x + self.drop_shortcut(attended)
        return x + self.drop_shortcut(self.ff(self.norm2(x)))
