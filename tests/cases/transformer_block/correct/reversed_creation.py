"""Makes its parts from back to front and calls .forward on them."""
from torch import nn
from previous_chapters import FeedForward, LayerNorm, MultiHeadAttention


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.dropout = nn.Dropout(cfg["drop_rate"])
        self.norm2 = LayerNorm(cfg["emb_dim"])
        self.norm1 = LayerNorm(cfg["emb_dim"])
        self.ff = FeedForward(cfg)
        self.att = MultiHeadAttention(
            d_in=cfg["emb_dim"],
            d_out=cfg["emb_dim"],
            context_length=cfg["context_length"],
            num_heads=cfg["n_heads"],
            dropout=cfg["drop_rate"],
            qkv_bias=cfg["qkv_bias"])

    def forward(self, x):
        a = self.att.forward(self.norm1.forward(x))
        x = x + self.dropout.forward(a)
        f = self.ff.forward(self.norm2.forward(x))
        return x + self.dropout.forward(f)
