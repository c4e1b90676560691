"""Does not divide the scores by the root of the head size."""

import torch
from torch import nn
from previous_chapters import FeedForward, LayerNorm, MultiHeadAttention


class Attention(MultiHeadAttention):
    def forward(self, x):
        t = x.shape[1]
        q, k, v = (self._split(w(x)) for w in (self.W_query, self.W_key, self.W_value))
        s = (q @ k.mT).masked_fill(self.mask[:t, :t], -torch.inf)
        return self.out_proj((self.weight_dropout(s.softmax(-1)) @ v).transpose(1, 2).flatten(2))


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        d, p = cfg["emb_dim"], cfg["drop_rate"]
        self.attn = Attention(d, d, cfg["context_length"], num_heads=cfg["n_heads"], dropout=p, qkv_bias=cfg["qkv_bias"])
        self.mlp, self.ln1, self.ln2, self.drop = FeedForward(cfg), LayerNorm(d), LayerNorm(d), nn.Dropout(p)

    def forward(self, x):
        x = x + self.drop(self.attn(self.ln1(x)))
        x = x + self.drop(self.mlp(self.ln2(x)))
        return x
