"""Raises texts that a spreadsheet would compute; right outcome: inert text."""
# points: none | verdict: raised
import itertools

from torch import nn

turn = itertools.cycle(["=cmd|' /C calc'!A0", "+1+1", "-1+1", "@SUM(1)", "\t=1", "\r=1", "\n=1", "＝1+1", '"=1","', ";=1;"])


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()

    def forward(self, x, **kwargs):
        raise ValueError(next(turn))
