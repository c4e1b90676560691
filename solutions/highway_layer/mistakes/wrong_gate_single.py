# tag: wrong-gate | formula: T·H(x) + (1 - T)·x, T = sigmoid(w·x + b) | checks: mixes_the_input_with_the_transform
"""One gate for all features."""

import torch
from torch import nn


class HighwayLayer(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.transform = nn.Linear(dim, dim)
        self.gate = nn.Linear(dim, 1)
        nn.init.constant_(self.gate.bias, -2.0)

    def forward(self, x):
        t = torch.sigmoid(self.gate(x))
        h = torch.relu(self.transform(x))
        return t * h + (1 - t) * x
