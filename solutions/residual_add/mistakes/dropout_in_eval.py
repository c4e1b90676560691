# tag: dropout-in-eval | checks: is_quiet_in_eval_mode
"""Functional dropout."""
import torch.nn.functional as F
from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.sublayer = sublayer
        self.p = dropout

    def forward(self, x, **kwargs):
        return x + F.dropout(self.sublayer(self.norm(x), **kwargs), self.p)
