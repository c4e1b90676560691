"""A PreNorm helper class holds norm and sublayer."""
from torch import nn


class PreNorm(nn.Module):
    def __init__(self, width, inner):
        super().__init__()
        self.inner = inner
        self.norm = nn.LayerNorm(width)

    def forward(self, x, *args, **kwargs):
        return self.inner(self.norm(x), *args, **kwargs)


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.pre = PreNorm(dim, sublayer)
        self.post = nn.Dropout(dropout)

    def forward(self, x, **kwargs):
        return sum([x, self.post(self.pre(x, **kwargs))])
