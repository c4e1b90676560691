"""Each gate sees its own feature only."""

import torch
from torch import nn


class HighwayLayer(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.transform = nn.Linear(dim, dim)
        self.scale = nn.Parameter(torch.randn(dim))
        self.shift = nn.Parameter(torch.full((dim,), -2.0))

    def forward(self, x):
        t = torch.sigmoid(self.scale * x + self.shift)
        return t * torch.relu(self.transform(x)) + (1 - t) * x
