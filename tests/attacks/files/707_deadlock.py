"""Waits for a lock that it holds itself, in each forward pass; right outcome: stopped by the clock."""
# points: none | verdict: timed_out
import threading

from torch import nn

lock = threading.Lock()
lock.acquire()


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        lock.acquire()
