"""Residual(PreNorm(...)) in a Sequential."""
from torch import nn
from previous_chapters import FeedForward, LayerNorm, MultiHeadAttention


class Residual(nn.Module):
    def __init__(self, fn):
        super().__init__()
        self.fn = fn

    def forward(self, x):
        return self.fn(x) + x


class PreNorm(nn.Module):
    def __init__(self, dim, fn):
        super().__init__()
        self.norm = LayerNorm(dim)
        self.fn = fn

    def forward(self, x):
        return self.fn(self.norm(x))


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        dim, p = cfg["emb_dim"], cfg["drop_rate"]
        attn = MultiHeadAttention(dim, dim, cfg["context_length"], num_heads=cfg["n_heads"], dropout=p, qkv_bias=cfg["qkv_bias"])
        self.net = nn.Sequential(
            Residual(PreNorm(dim, nn.Sequential(attn, nn.Dropout(p)))),
            Residual(PreNorm(dim, nn.Sequential(FeedForward(cfg), nn.Dropout(p)))),
        )

    def forward(self, x):
        return self.net(x)
