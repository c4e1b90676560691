# tag: unregistered-params | checks: registers_its_parameters
"""The maps are kept in a list."""

import torch
from torch import nn


class HighwayLayer(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.maps = [nn.Linear(dim, dim), nn.Linear(dim, dim)]
        nn.init.constant_(self.maps[1].bias, -2.0)

    def forward(self, x):
        t = torch.sigmoid(self.maps[1](x))
        return t * torch.relu(self.maps[0](x)) + (1 - t) * x
