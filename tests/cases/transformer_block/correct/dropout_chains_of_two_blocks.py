"""ResidualAdd around plain functions; the modules are registered on the block."""
from torch import nn
from previous_chapters import FeedForward, LayerNorm, MultiHeadAttention


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.norm, self.dropout = LayerNorm(dim), nn.Dropout(dropout)
        self.sublayer = sublayer

    def forward(self, x, **kwargs):
        return x + self.dropout(self.sublayer(self.norm(x), **kwargs))


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.attention = MultiHeadAttention(cfg["emb_dim"], cfg["emb_dim"], cfg["context_length"],
                                            num_heads=cfg["n_heads"], dropout=cfg["drop_rate"], qkv_bias=cfg["qkv_bias"])
        self.mlp = FeedForward(cfg)
        self.r1 = ResidualAdd(cfg["emb_dim"], lambda h: self.attention(h), cfg["drop_rate"])
        self.r2 = ResidualAdd(cfg["emb_dim"], lambda h: self.mlp(h), cfg["drop_rate"])

    def forward(self, x):
        return self.r2(self.r1(x))
