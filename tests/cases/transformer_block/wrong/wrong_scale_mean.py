"""Keeps numbers in range."""
from torch import nn
from previous_chapters import FeedForward, LayerNorm, MultiHeadAttention


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        d = cfg["emb_dim"]
        self.ln_1 = LayerNorm(d)
        self.attn = MultiHeadAttention(d, d, cfg["context_length"], num_heads=cfg["n_heads"],
                                       dropout=cfg["drop_rate"], qkv_bias=cfg["qkv_bias"])
        self.ln_2 = LayerNorm(d)
        self.mlp = FeedForward(cfg)
        self.drop = nn.Dropout(cfg["drop_rate"])

    def forward(self, x):
        x = 0.5 * (x + self.drop(self.attn(self.ln_1(x))))
        x = 0.5 * (x + self.drop(self.mlp(self.ln_2(x))))
        return x
