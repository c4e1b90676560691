"""nn.MultiheadAttention with an additive mask and need_weights=True."""
import torch
from torch import nn
from previous_chapters import FeedForward


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.attn = nn.MultiheadAttention(cfg["emb_dim"], cfg["n_heads"], cfg["drop_rate"],
                                          bias=cfg["qkv_bias"], batch_first=True)
        self.ff = FeedForward(cfg)
        self.ln1 = nn.LayerNorm(cfg["emb_dim"])
        self.ln2 = nn.LayerNorm(cfg["emb_dim"])
        self.drop = nn.Dropout(cfg["drop_rate"])
        self.attention_weights = None

    def forward(self, x):
        mask = nn.Transformer.generate_square_subsequent_mask(x.size(1), device=x.device, dtype=x.dtype)
        h = self.ln1(x)
        h, weights = self.attn(h, h, h, attn_mask=mask)
        self.attention_weights = weights.detach()
        x = x + self.drop(h)
        return x + self.drop(self.ff(self.ln2(x)))
