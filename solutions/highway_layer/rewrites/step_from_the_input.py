"""The input, and a gated step from it towards the transform."""

import torch
from torch import nn


class HighwayLayer(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.h = nn.Sequential(nn.Linear(dim, dim), nn.ReLU())
        self.t = nn.Sequential(nn.Linear(dim, dim), nn.Sigmoid())
        self.t[0].bias.data.fill_(-2)

    def forward(self, x):
        return x + self.t(x) * (self.h(x) - x)
