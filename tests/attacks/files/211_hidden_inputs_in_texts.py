"""Tells hidden inputs in exception texts, type names, file names and source lines; right outcome: no number of them is shown."""
# points: none | verdict: raised
import itertools
import linecache

import torch
from torch import nn

turn = itertools.count()
own = compile("0", "x", "exec")


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()

    def forward(self, x, **kwargs):
        if torch.equal(x.detach().flatten(), torch.linspace(-1, 1, x.numel())):
            raise ValueError("visible")
        secret = f"LEAK: {x.flatten()[0].item():.4f}"
        print(secret)
        kind = next(turn) % 3
        if kind == 0:
            raise ValueError(f"{secret} {x.flatten()[:3].tolist()}")
        if kind == 1:
            raise type(secret, (Exception,), {})("text")
        name = self.forward.__code__.co_filename
        size, time, lines, full = linecache.cache[name]
        linecache.cache[name] = (size, time, [secret + "\n"] * len(lines), full)
        raise ValueError("text")
