"""Turns cfg into a frozen dataclass first."""
from dataclasses import dataclass, fields

from torch import nn
from previous_chapters import FeedForward, LayerNorm, MultiHeadAttention


@dataclass(frozen=True)
class Config:
    emb_dim: int
    context_length: int
    n_heads: int
    drop_rate: float
    qkv_bias: bool


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.cfg = Config(**{field.name: cfg[field.name] for field in fields(Config)})
        c = self.cfg
        self.attention = MultiHeadAttention(c.emb_dim, c.emb_dim, c.context_length, num_heads=c.n_heads,
                                            dropout=c.drop_rate, qkv_bias=c.qkv_bias)
        self.feed_forward = FeedForward({"emb_dim": c.emb_dim})
        self.norms = nn.ModuleList(LayerNorm(c.emb_dim) for _ in range(2))
        self.dropout = nn.Dropout(c.drop_rate)

    def forward(self, x):
        h = x + self.dropout(self.attention(self.norms[0](x)))
        return h + self.dropout(self.feed_forward(self.norms[1](h)))
