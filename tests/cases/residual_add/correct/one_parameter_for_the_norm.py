"""Scale and shift in one parameter."""

import torch
from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.affine = nn.Parameter(torch.stack([torch.ones(dim), torch.zeros(dim)]))
        self.sublayer = sublayer
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, **kwargs):
        z = torch.layer_norm(x, [x.shape[-1]], self.affine[0], self.affine[1])
        return x + self.dropout(self.sublayer(z, **kwargs))
