"""Own attention with one projection for queries, keys and values and scaled_dot_product_attention."""
import torch.nn.functional as F
from torch import nn
from previous_chapters import FeedForward, LayerNorm


class SelfAttention(nn.Module):
    def __init__(self, width, heads, rate, bias):
        super().__init__()
        self.heads = heads
        self.rate = rate
        self.c_attn = nn.Linear(width, 3 * width, bias=bias)
        self.c_proj = nn.Linear(width, width)

    def forward(self, x):
        q, k, v = (t.unflatten(-1, (self.heads, -1)).transpose(1, 2) for t in self.c_attn(x).chunk(3, dim=-1))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True, dropout_p=self.rate if self.training else 0.0)
        return self.c_proj(y.transpose(1, 2).flatten(2))


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.attn = SelfAttention(cfg["emb_dim"], cfg["n_heads"], cfg["drop_rate"], cfg["qkv_bias"])
        self.mlp = FeedForward(cfg)
        self.ln_1, self.ln_2 = LayerNorm(cfg["emb_dim"]), LayerNorm(cfg["emb_dim"])
        self.drop = nn.Dropout(cfg["drop_rate"])

    def forward(self, x):
        x = x + self.drop(self.attn(self.ln_1(x)))
        return x + self.drop(self.mlp(self.ln_2(x)))
