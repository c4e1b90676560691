"""A norm by hand, with one parameter tensor for scale and shift."""

import torch
from torch import nn


class Norm(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.affine = nn.Parameter(torch.stack([torch.ones(dim), torch.zeros(dim)]))

    def forward(self, t):
        centred = t - t.mean(-1, keepdim=True)
        variance = torch.einsum("...i,...i->...", centred, centred)[..., None] / t.shape[-1]
        return centred * torch.rsqrt(variance + 1e-5) * self.affine[0] + self.affine[1]


class PostNormBlock(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.sublayer, self.norm, self.drop = sublayer, Norm(dim), nn.Dropout(dropout)

    def forward(self, x):
        return self.norm(self.drop(self.sublayer(x)) + x)
