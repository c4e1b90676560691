"""One bias serves all gates."""

import torch
from torch import nn


class HighwayLayer(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.transform = nn.Linear(dim, dim)
        self.gate = nn.Linear(dim, dim, bias=False)
        self.shift = nn.Parameter(torch.tensor(-2.0))

    def forward(self, x):
        t = torch.sigmoid(self.gate(x) + self.shift)
        return t * torch.relu(self.transform(x)) + (1 - t) * x
