"""Checkpoints the branch while training."""
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.sublayer = sublayer
        self.dropout = nn.Dropout(dropout)

    def _branch(self, x, **kwargs):
        return self.dropout(self.sublayer(self.norm(x), **kwargs))

    def forward(self, x, **kwargs):
        if self.training and torch.is_grad_enabled():
            return x + checkpoint(self._branch, x, use_reentrant=False, **kwargs)
        return x + self._branch(x, **kwargs)
