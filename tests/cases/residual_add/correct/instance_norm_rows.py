"""Every row is one channel for F.instance_norm."""
import torch
import torch.nn.functional as F
from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.alpha = nn.Parameter(torch.ones(dim))
        self.bias = nn.Parameter(torch.zeros(dim))
        self.sublayer = sublayer
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, **kwargs):
        rows = x.reshape(1, -1, x.shape[-1])
        rows = F.instance_norm(rows, eps=1e-5).reshape(x.shape)
        return x + self.dropout(self.sublayer(rows * self.alpha + self.bias, **kwargs))
