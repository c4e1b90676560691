"""No dropout on attention weights."""
from torch import nn
from previous_chapters import FeedForward, LayerNorm, MultiHeadAttention


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        d = cfg["emb_dim"]
        self.att = MultiHeadAttention(d, d, cfg["context_length"], num_heads=cfg["n_heads"], dropout=0.0, qkv_bias=cfg["qkv_bias"])
        self.ff = FeedForward(cfg)
        self.norm1, self.norm2 = LayerNorm(d), LayerNorm(d)
        self.drop1, self.drop2 = nn.Dropout(cfg["drop_rate"]), nn.Dropout(cfg["drop_rate"])

    def forward(self, x):
        x = x + self.drop1(self.att(self.norm1(x)))
        return x + self.drop2(self.ff(self.norm2(x)))
