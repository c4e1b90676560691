"""Gives classes and exceptions names that are markup, escapes and formulas; right outcome: inert text."""
# points: some | verdict: any
import itertools

from torch import nn

names = ["<script>alert(2)</script>", "\x1b[31mred", "=1+1", "\u202eevil", "::error::x", "a\nb\r\nc", "{{ 7 * 7 }}", "[x](javascript:y)"]
turn = itertools.cycle(names)


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()

    def forward(self, x, **kwargs):
        name = next(turn)
        if names.index(name) % 2:
            raise type(name, (Exception,), {})(name)
        return type(name, (), {})()
