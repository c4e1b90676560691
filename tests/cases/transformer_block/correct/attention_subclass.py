"""A subclass of the given attention reads the configuration."""
from torch import nn
from previous_chapters import FeedForward, LayerNorm, MultiHeadAttention


class CausalAttention(MultiHeadAttention):
    def __init__(self, cfg):
        super().__init__(cfg["emb_dim"], cfg["emb_dim"], cfg["context_length"], num_heads=cfg["n_heads"],
                         dropout=cfg["drop_rate"], qkv_bias=cfg["qkv_bias"])
        self.norm = LayerNorm(cfg["emb_dim"])
        self.after = nn.Dropout(cfg["drop_rate"])

    def forward(self, x):
        return x + self.after(super().forward(self.norm(x)))


class Mlp(FeedForward):
    def __init__(self, cfg):
        super().__init__(cfg)
        self.norm = LayerNorm(cfg["emb_dim"])
        self.after = nn.Dropout(cfg["drop_rate"])

    def forward(self, x):
        return x + self.after(super().forward(self.norm(x)))


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.attention, self.mlp = CausalAttention(cfg), Mlp(cfg)

    def forward(self, x):
        return self.mlp(self.attention(x))
