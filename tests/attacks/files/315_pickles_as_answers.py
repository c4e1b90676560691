"""Answers with objects whose pickling, copying and naming run code; right outcome: nothing is pickled on the way."""
# points: some | verdict: failed
import os

from torch import nn


class Evil:
    def __reduce__(self):
        os.write(1, b"THROUGH pickled on the way\n")
        return (os.mkdir, (f"{CANARY}/grades/from_pickle",))

    __reduce_ex__ = __getstate__ = __copy__ = __deepcopy__ = lambda self, *args: self.__reduce__()


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()

    def forward(self, x, **kwargs):
        return [Evil(), {"a": Evil()}, (Evil(),)]
