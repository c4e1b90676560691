"""Ends itself as if the grader had done it: with its exit codes, by SIGKILL, by a crash; right outcome: no points for it."""
# points: none | verdict: crashed/out_of_memory
import itertools
import os
import signal
import time

from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()

    def forward(self, x, **kwargs):
        kind = int(time.time() * 1000) % 4
        if kind == 0:
            os._exit(71)
        if kind == 1:
            os._exit(70)
        if kind == 2:
            os.kill(os.getpid(), signal.SIGKILL)
        os.abort()
