"""Sends tensors whose shapes overflow, do not fit their bytes, or have no elements; right outcome: refused."""
# points: some | verdict: any
import itertools
import os
import sys

import msgspec
from torch import nn

tensors = itertools.cycle([
    ([2**40] * 8, b""), ([0] + [2**40] * 7, b""), ([2, 5, 8], b""), ([2, 5, 8], bytes(641)), ([-1], bytes(8)), ([1] * 9, bytes(8)),
    ([2**32, 2**32, 0], b""), ([10_000_000, 0], b""), ([], bytes(8)), ([8_000_000, 0, 8_000_000], b""), ([0] * 8, b""),
])  # fmt: skip


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()

    def forward(self, x, **kwargs):
        shape, data = next(tensors)
        body = msgspec.msgpack.encode(["done", ["tensor", "float64", shape, True, True], [], 0])
        os.write(channels()[0], head(len(body), len(data)) + body + data)
        os._exit(0)
