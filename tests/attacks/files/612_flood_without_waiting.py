"""Writes calls of the sublayer to the channel and never reads an answer; right outcome: the judge does not wait for ever."""
# points: none | verdict: timed_out
import os

from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()

    def forward(self, x, **kwargs):
        call = frame(protocol().ProbeCall(0, [tensor([1000, 8], bytes(64000))], {}))
        while True:
            os.write(channels()[0], call)
