# tag: gate-inverted | formula: (1 - T)·H(x) + T·x | checks: starts_by_carrying
"""T and 1 - T have changed places."""

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
        h = torch.relu(self.transform(x))
        return (1 - t) * h + t * x
