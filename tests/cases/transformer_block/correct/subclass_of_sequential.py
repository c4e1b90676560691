"""The block is a Sequential of two halves."""
from torch import nn
from previous_chapters import FeedForward, LayerNorm, MultiHeadAttention


class Half(nn.Sequential):
    def forward(self, x):
        return x + super().forward(x)


class TransformerBlock(nn.Sequential):
    def __init__(self, cfg):
        d = cfg["emb_dim"]
        att = MultiHeadAttention(d, d, cfg["context_length"], num_heads=cfg["n_heads"],
                                 dropout=cfg["drop_rate"], qkv_bias=cfg["qkv_bias"])
        super().__init__(
            Half(LayerNorm(d), att, nn.Dropout(cfg["drop_rate"])),
            Half(LayerNorm(d), FeedForward(cfg), nn.Dropout(cfg["drop_rate"])),
        )
