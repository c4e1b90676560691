"""Own dropout module with a Bernoulli mask."""
import torch
from torch import nn


class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.register_buffer("keep", torch.tensor(1.0 - p))

    def forward(self, t):
        if self.training and self.keep < 1:
            if self.keep <= 0:
                return torch.zeros_like(t)
            mask = torch.bernoulli(torch.ones_like(t) * self.keep)
            return t * mask / self.keep
        return t


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.norm, self.sublayer, self.drop = nn.LayerNorm(dim), sublayer, MyDropout(dropout)

    def forward(self, x, **kwargs):
        return x + self.drop(self.sublayer(self.norm(x), **kwargs))
