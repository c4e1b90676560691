"""Functional norms, feed forward and dropout on parameters of the block's own."""

import torch
import torch.nn.functional as F
from torch import nn


class ViTEncoderBlock(nn.Module):
    def __init__(self, dim, heads, dropout):
        super().__init__()
        self.dim, self.rate = dim, dropout
        self.attention = nn.MultiheadAttention(dim, heads, dropout=dropout, batch_first=True)
        self.scales = nn.ParameterList(torch.ones(dim) for _ in range(2))
        self.shifts = nn.ParameterList(torch.zeros(dim) for _ in range(2))
        self.w1, self.b1 = nn.Parameter(torch.randn(4 * dim, dim) * 0.1), nn.Parameter(torch.zeros(4 * dim))
        self.w2, self.b2 = nn.Parameter(torch.randn(dim, 4 * dim) * 0.1), nn.Parameter(torch.zeros(dim))

    def norm(self, x, number):
        return F.layer_norm(x, (self.dim,), self.scales[number], self.shifts[number])

    def forward(self, x):
        n = self.norm(x, 0)
        x = x + F.dropout(self.attention(n, n, n)[0], self.rate, self.training)
        inner = F.gelu(F.linear(self.norm(x, 1), self.w1, self.b1), approximate="tanh")
        return x + F.dropout(F.linear(inner, self.w2, self.b2), self.rate, self.training)
