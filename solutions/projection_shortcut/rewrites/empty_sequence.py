"""An empty nn.Sequential where nothing changes, and both paths in a list."""

import torch
from torch import nn


class ProjectionShortcut(nn.Module):
    def __init__(self, in_channels, out_channels, stride, sublayer):
        super().__init__()
        parts = [] if in_channels == out_channels and stride == 1 else [nn.LazyConv2d(out_channels, 1, stride)]
        for part in parts:
            part(torch.zeros(1, in_channels, 4, 4))
        self.sublayer = sublayer
        self.paths = [nn.Sequential(*parts), sublayer]
        self.add_module("short", self.paths[0])

    def forward(self, x):
        return torch.stack([path(x) for path in self.paths]).sum(dim=0)
