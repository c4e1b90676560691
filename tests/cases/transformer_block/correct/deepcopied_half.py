"""The second half starts as a copy of the first one."""
import copy

from torch import nn
from previous_chapters import FeedForward, LayerNorm, MultiHeadAttention


class Sub(nn.Module):
    def __init__(self, d, p, body):
        super().__init__()
        self.norm, self.body, self.drop = LayerNorm(d), body, nn.Dropout(p)

    def forward(self, x):
        return x + self.drop(self.body(self.norm(x)))


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        d = cfg["emb_dim"]
        self.first = Sub(d, cfg["drop_rate"], nn.Identity())
        self.second = copy.deepcopy(self.first)
        self.first.body = MultiHeadAttention(d, d, cfg["context_length"], num_heads=cfg["n_heads"],
                                             dropout=cfg["drop_rate"], qkv_bias=cfg["qkv_bias"])
        self.second.body = FeedForward(cfg)

    def forward(self, x):
        return self.second(self.first(x))
