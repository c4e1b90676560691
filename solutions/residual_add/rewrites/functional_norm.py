"""F.layer_norm with parameters of the block itself."""
import torch
import torch.nn.functional as F
from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.register_parameter("beta", nn.Parameter(torch.zeros(dim)))
        self.register_parameter("gamma", nn.Parameter(torch.ones(dim)))
        self.add_module("drop", nn.Dropout(dropout))
        self.sub = sublayer

    def forward(self, x, **kwargs):
        h = F.layer_norm(x, x.shape[-1:], self.gamma, self.beta)
        return x + self.drop(self.sub(h, **kwargs))
