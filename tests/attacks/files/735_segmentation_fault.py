"""Reads address 0 in a forward pass; right outcome: only the worker crashes."""
# points: none | verdict: crashed
import ctypes

from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()

    def forward(self, x, **kwargs):
        return ctypes.string_at(0)
