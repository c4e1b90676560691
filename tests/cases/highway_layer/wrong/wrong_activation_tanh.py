"""The transform ends in tanh."""

import torch
from torch import nn


class HighwayLayer(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.transform = nn.Linear(dim, dim)
        self.gate = nn.Linear(dim, dim)
        nn.init.constant_(self.gate.bias, -2.0)

    def forward(self, x):
        t = torch.sigmoid(self.gate(x))
        h = torch.tanh(self.transform(x))
        return t * h + (1 - t) * x
