"""Defines finalizers that end the process when objects die; right outcome: only this worker is affected."""
# points: none | verdict: crashed
import os

from torch import nn


class Bomb:
    def __del__(self):
        os._exit(0)


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()

    def forward(self, x, **kwargs):
        Bomb()
        return x
