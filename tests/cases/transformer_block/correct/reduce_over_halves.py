"""functools.reduce over partials; torch.add and stack-sum."""
from functools import partial, reduce

import torch
from torch import nn
from previous_chapters import FeedForward, LayerNorm, MultiHeadAttention


def half(norm, sublayer, drop, x):
    return torch.stack((x, drop(sublayer(norm(x))))).sum(dim=0)


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        d = cfg["emb_dim"]
        self.parts = nn.ModuleList([
            LayerNorm(d), MultiHeadAttention(d, d, cfg["context_length"], num_heads=cfg["n_heads"],
                                             dropout=cfg["drop_rate"], qkv_bias=cfg["qkv_bias"]),
            LayerNorm(d), FeedForward(cfg), nn.Dropout(cfg["drop_rate"])])

    def forward(self, x):
        n1, a, n2, f, drop = self.parts
        steps = [partial(half, n1, a, drop), partial(half, n2, f, drop)]
        return reduce(lambda value, step: step(value), steps, x)
