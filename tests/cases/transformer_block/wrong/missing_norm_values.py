"""Only the values are normalised."""
import torch
from torch import nn
from previous_chapters import FeedForward, LayerNorm


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        d, length = cfg["emb_dim"], cfg["context_length"]
        self.att = nn.MultiheadAttention(d, cfg["n_heads"], dropout=cfg["drop_rate"], bias=cfg["qkv_bias"],
                                         batch_first=True)
        self.ff = FeedForward(cfg)
        self.norm1 = LayerNorm(d)
        self.norm2 = LayerNorm(d)
        self.drop = nn.Dropout(cfg["drop_rate"])
        self.register_buffer("mask", torch.triu(torch.ones(length, length, dtype=torch.bool), 1), persistent=False)

    def forward(self, x):
        n, m = self.norm1(x), self.mask[:x.size(1), :x.size(1)]
        h = x + self.drop(self.att(x, x, n, attn_mask=m, need_weights=False)[0])
        return h + self.drop(self.ff(self.norm2(h)))
