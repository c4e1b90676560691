# verdict: out_of_memory | costs: all | says: Your code ran out of memory: it kept asking for more. It may use 128 MiB
import torch
from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.sublayer = sublayer
        self.drop = nn.Dropout(dropout)

    def forward(self, x, **kwargs):
        kept = []
        while True:
            kept.append(torch.zeros(4_000_000))
