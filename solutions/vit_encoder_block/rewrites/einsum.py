"""Attention by einsum, with weight tensors of its own."""

import torch
from torch import nn


class ViTEncoderBlock(nn.Module):
    def __init__(self, dim, heads, dropout):
        super().__init__()
        size = dim // heads
        self.wq, self.wk, self.wv = (nn.Parameter(torch.randn(heads, dim, size) * 0.1) for _ in range(3))
        self.wo = nn.Parameter(torch.randn(heads, size, dim) * 0.1)
        self.bo = nn.Parameter(torch.zeros(dim))
        self.up, self.down = nn.Linear(dim, 4 * dim), nn.Linear(4 * dim, dim)
        self.before_attention, self.before_mlp = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.after_attention, self.after_mlp = nn.Dropout(dropout), nn.Dropout(dropout)

    def attend(self, x):
        q, k, v = (torch.einsum("bnd,hde->bhne", x, w) for w in (self.wq, self.wk, self.wv))
        scores = torch.einsum("bhqe,bhke->bhqk", q, k) / q.shape[-1] ** 0.5
        mixed = torch.einsum("bhqk,bhke->bhqe", scores.softmax(-1), v)
        return torch.einsum("bhqe,hed->bqd", mixed, self.wo) + self.bo

    def forward(self, x):
        h = x + self.after_attention(self.attend(self.before_attention(x)))
        return h + self.after_mlp(self.down(nn.functional.gelu(self.up(self.before_mlp(h)))))
