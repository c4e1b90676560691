"""Has a gated feed forward with SiLU."""

import torch.nn.functional as F
from torch import nn
from previous_chapters import FeedForward, LayerNorm, MultiHeadAttention


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        d, p = cfg["emb_dim"], cfg["drop_rate"]
        self.attn = MultiHeadAttention(d, d, cfg["context_length"], num_heads=cfg["n_heads"], dropout=p,
                                       qkv_bias=cfg["qkv_bias"])
        self.mlp = FeedForward(cfg)
        self.ln1 = LayerNorm(d)
        self.ln2 = LayerNorm(d)
        self.drop = nn.Dropout(p)
        del self.mlp
        self.gate, self.up, self.down = nn.Linear(d, 4 * d), nn.Linear(d, 4 * d), nn.Linear(4 * d, d)

    def mlp(self, h):
        return self.down(F.silu(self.gate(h)) * self.up(h))

    def forward(self, x):
        x = x + self.drop(self.attn(self.ln1(x)))
        x = x + self.drop(self.mlp(self.ln2(x)))
        return x
