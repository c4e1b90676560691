"""One operation per line, with names of its own."""

import torch
from torch import nn


class PostNormBlock(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.inner = sublayer
        self.ln = nn.LayerNorm(dim)
        self.p = nn.Dropout(p=dropout)

    def forward(self, x):
        shortcut = x
        out = self.inner(x)
        out = self.p(out)
        out = torch.add(shortcut, out)
        out = self.ln(out)
        return out
