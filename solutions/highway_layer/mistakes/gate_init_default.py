# tag: gate-init | formula: T·H(x) + (1 - T)·x | checks: starts_by_carrying
"""The bias of the gate is left as it is drawn."""

import torch
from torch import nn


class HighwayLayer(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.transform = nn.Linear(dim, dim)
        self.gate = nn.Linear(dim, dim)

    def forward(self, x):
        t = torch.sigmoid(self.gate(x))
        h = torch.relu(self.transform(x))
        return t * h + (1 - t) * x
