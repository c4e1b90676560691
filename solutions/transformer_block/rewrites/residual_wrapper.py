"""Both halves are wrapped in a residual module from the first exercise."""
from torch import nn
from previous_chapters import FeedForward, LayerNorm, MultiHeadAttention


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.sublayer = sublayer
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, **kwargs):
        return x + self.dropout(self.sublayer(self.norm(x), **kwargs))


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        d, p = cfg["emb_dim"], cfg["drop_rate"]
        att = MultiHeadAttention(d, d, cfg["context_length"], num_heads=cfg["n_heads"], dropout=p,
                                 qkv_bias=cfg["qkv_bias"])
        self.halves = nn.Sequential(ResidualAdd(d, att, p), ResidualAdd(d, FeedForward(cfg), p))

    def forward(self, x):
        return self.halves(x)
