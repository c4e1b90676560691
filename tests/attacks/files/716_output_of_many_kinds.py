"""Writes empty lines, single bytes and broken text through Python and C, without end in forward; right outcome: cut, stopped."""
# points: none | verdict: timed_out
import ctypes
import os
import sys

from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()

    def forward(self, x, **kwargs):
        libc = ctypes.CDLL(None)
        while True:
            os.write(1, b"\n")
            os.write(2, b"\xff\xfe\x00\xed\xa0\x80")
            libc.puts(b"from C")
            sys.stdout.write("\u2028\x85")
            print("x", file=sys.stderr)
