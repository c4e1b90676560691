# verdict: raised | costs: all | says: does not take the arguments of the task
import torch
from torch import nn

class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.sublayer = sublayer
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask, **kwargs):
        return x + self.drop(self.sublayer(self.norm(x), **kwargs))
