"""Own projections: the queries come from the normalised input, keys and values do not."""
from torch import nn
from previous_chapters import FeedForward, LayerNorm


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        d = cfg["emb_dim"]
        self.heads = cfg["n_heads"]
        self.q, self.k, self.v = (nn.Linear(d, d, bias=cfg["qkv_bias"]) for _ in range(3))
        self.o = nn.Linear(d, d)
        self.ff = FeedForward(cfg)
        self.norm1 = LayerNorm(d)
        self.norm2 = LayerNorm(d)
        self.drop = nn.Dropout(cfg["drop_rate"])

    def forward(self, x):
        n = self.norm1(x)
        q, k, v = (t.unflatten(-1, (self.heads, -1)).transpose(1, 2) for t in (self.q(n), self.k(x), self.v(x)))
        a = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        h = x + self.drop(self.o(a.transpose(1, 2).flatten(2)))
        return h + self.drop(self.ff(self.norm2(h)))
