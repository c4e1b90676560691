"""Scores as they are."""

from torch import nn


class Attention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.out = nn.Linear(dim, dim)

    def forward(self, x):
        q, k, v = (t.unflatten(-1, (self.heads, -1)).transpose(1, 2) for t in self.qkv(x).chunk(3, dim=-1))
        scores = q @ k.transpose(-2, -1)
        return self.out((scores.softmax(dim=-1) @ v).transpose(1, 2).flatten(2))


class ViTEncoderBlock(nn.Module):
    def __init__(self, dim, heads, dropout):
        super().__init__()
        self.attention = Attention(dim, heads)
        self.feed_forward = nn.Sequential(nn.Linear(dim, 4 * dim), nn.GELU(), nn.Linear(4 * dim, dim))
        self.norm1 = nn.LayerNorm(dim)
        self.norm2 = nn.LayerNorm(dim)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        n = self.norm1(x)
        h = x + self.drop(self.attention(n))
        return h + self.drop(self.feed_forward(self.norm2(h)))
