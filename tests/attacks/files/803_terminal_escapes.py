"""Prints and raises hyperlinks, clipboard writes, titles, alternate screens and cursor moves; right outcome: shown as text."""
# points: none | verdict: raised
import itertools
import os

from torch import nn

escapes = [
    "\x1b]8;;file:///etc/passwd\x1b\\click\x1b]8;;\x1b\\", "\x1b]52;c;ZXZpbA==\x07", "\x9b31mred", "\x1b[?1049h", "\x1b[1A\x1b[2K21/21",
    "\x1bP$q\"p\x1b\\", "\x08" * 50 + "21/21 passed", "\r21/21 passed", "\x1b[6n", "\x1bc", "\x07", "\x0e\x0f", "\x7f",
]  # fmt: skip
for text in escapes:
    os.write(1, text.encode() + b"\n")
turn = itertools.cycle(escapes)


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()

    def forward(self, x, **kwargs):
        raise RuntimeError(next(turn))
