"""Sends a bool tensor whose bytes are neither 0 nor 1, which readers may not survive; right outcome: refused."""
# points: some | verdict: any
import os

from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()

    def forward(self, x, **kwargs):
        os.write(channels()[0], frame(protocol().Done(tensor(x.shape, b"\x00\x01\x02\xff" * (x.numel() // 4), "bool"))))
        os._exit(0)
