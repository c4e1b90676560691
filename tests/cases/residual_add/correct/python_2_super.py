"""Python 2 style super and a module called through its class name."""
import torch.nn as nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super(ResidualAdd, self).__init__()
        self.ln = nn.LayerNorm(dim)
        self.f = sublayer
        self.drop = nn.Dropout(p=dropout)

    def forward(self, inp, **kw):
        return self.drop(self.f(self.ln(inp), **kw)) + inp
