"""functools.partial for the norm, a closure for the rest."""
from functools import partial

import torch
from torch import nn
from torch.nn import functional as fn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.scale = nn.Parameter(torch.empty(dim).fill_(1.0))
        self.shift = nn.Parameter(torch.empty(dim).fill_(0.0))
        self.sublayer = sublayer
        self._norm = partial(fn.layer_norm, normalized_shape=[dim], eps=1e-5)
        self._drop = partial(fn.dropout, p=dropout)

    def forward(self, x, **kwargs):
        normed = self._norm(x, weight=self.scale, bias=self.shift)
        return x + self._drop(self.sublayer(normed, **kwargs), training=self.training)
