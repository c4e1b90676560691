"""Rate from the book."""
from torch import nn

DROP_RATE = 0.1


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=DROP_RATE):
        super().__init__()
        self.ln = nn.LayerNorm(dim)
        self.layer = sublayer
        self.drop = nn.Dropout(DROP_RATE)

    def forward(self, x, **kwargs):
        y = self.drop(self.layer(self.ln(x), **kwargs))
        return x + y
