"""A list of heads of one each, put side by side; an own norm."""

import torch
from torch import nn


class Norm(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.gain, self.offset = nn.Parameter(torch.ones(dim)), nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        centred = x - x.mean(-1, keepdim=True)
        return self.gain * centred * torch.rsqrt(centred.square().mean(-1, keepdim=True) + 1e-6) + self.offset


class Head(nn.Module):
    def __init__(self, dim, size):
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(dim, size, bias=False) for _ in range(3))

    def forward(self, x):
        query, key = self.query(x), self.key(x)
        weights = torch.softmax(query @ key.transpose(1, 2) * key.shape[-1] ** -0.5, dim=-1)
        return weights @ self.value(x)


class ViTEncoderBlock(nn.Module):
    def __init__(self, dim, heads, dropout):
        super().__init__()
        self.heads = nn.ModuleList(Head(dim, dim // heads) for _ in range(heads))
        self.mix = nn.Linear(dim, dim)
        self.mlp = nn.Sequential(nn.Linear(dim, dim * 4), nn.GELU("tanh"), nn.Linear(dim * 4, dim))
        self.norms = nn.ModuleList([Norm(dim), Norm(dim)])
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        n = self.norms[0](x)
        x = x + self.drop(self.mix(torch.cat([head(n) for head in self.heads], dim=-1)))
        return x + self.drop(self.mlp(self.norms[1](x)))
