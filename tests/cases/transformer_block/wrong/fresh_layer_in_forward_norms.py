"""A helper for norm, sublayer and sum."""
from torch import nn
from previous_chapters import FeedForward, LayerNorm, MultiHeadAttention


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.emb_dim = cfg["emb_dim"]
        self.att = MultiHeadAttention(
            d_in=cfg["emb_dim"],
            d_out=cfg["emb_dim"],
            context_length=cfg["context_length"],
            num_heads=cfg["n_heads"],
            dropout=cfg["drop_rate"],
            qkv_bias=cfg["qkv_bias"])
        self.ff = FeedForward(cfg)
        self.drop_shortcut = nn.Dropout(cfg["drop_rate"])

    def half(self, x, sublayer):
        norm = LayerNorm(self.emb_dim).to(x)
        return x + self.drop_shortcut(sublayer(norm(x)))

    def forward(self, x):
        x = self.half(x, self.att)
        return self.half(x, self.ff)
