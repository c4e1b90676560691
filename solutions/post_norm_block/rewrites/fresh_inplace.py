"""In place, but only on a tensor of its own."""

from torch import nn


class PostNormBlock(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.parts = nn.ModuleDict({"norm": nn.LayerNorm(dim), "drop": nn.Dropout(dropout)})
        self.sublayer = sublayer

    def forward(self, x):
        total = x.clone()
        total += self.parts["drop"](self.sublayer(x))
        return self.parts["norm"](total)
