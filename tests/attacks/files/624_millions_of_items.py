"""Answers with as many small values as a frame can hold; right outcome: bounded time and memory of the judge."""
# points: some | verdict: any
import itertools
import os

from torch import nn

kinds = itertools.cycle([(b"\x01", 1_000_000), (b"\x93\xa5items\xa4list\x90", 79_000), (b"\xc0", 1_000_000)])


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()

    def forward(self, x, **kwargs):
        item, count = next(kinds)
        body = b"\x94\xa4done\x93\xa5items\xa4list\xdd" + count.to_bytes(4, "big") + item * count + b"\x90\x00"
        data = memoryview(head(len(body), 0) + body)
        while data:
            data = data[os.write(channels()[0], data) :]
        os._exit(0)
