# verdict: out_of_memory | costs: all | says: Your code ran out of memory: it asked for 7,450 GiB at once. It may use 128 MiB beside PyTorch
import torch
from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.sublayer = sublayer
        self.drop = nn.Dropout(dropout)

    def forward(self, x, **kwargs):
        return x + torch.zeros(10**12)
