"""Own norm with var_mean and addcmul."""
import torch
from torch import nn


class RowNorm(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.b = nn.Parameter(torch.zeros(n))
        self.a = nn.Parameter(torch.ones(n))

    def forward(self, t):
        var, mu = torch.var_mean(t, dim=-1, correction=0, keepdim=True)
        return torch.addcmul(self.b, self.a, (t - mu) * torch.rsqrt(var + 1e-5))


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.drop = nn.Dropout(dropout)
        self.inner = sublayer
        self.n = RowNorm(dim)

    def forward(self, x, **kwargs):
        return torch.addcmul(x, self.drop(self.inner(self.n(x), **kwargs)), torch.ones_like(x))
