"""A residual block."""

import torch
from torch import nn


class HighwayLayer(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.transform = nn.Linear(dim, dim)

    def forward(self, x):
        return x + torch.relu(self.transform(x))
