"""The projection goes through a single channel."""

from torch import nn


class ProjectionShortcut(nn.Module):
    def __init__(self, in_channels, out_channels, stride, sublayer):
        super().__init__()
        self.sublayer = sublayer
        self.shortcut = nn.Identity()
        if in_channels != out_channels or stride != 1:
            self.shortcut = nn.Sequential(nn.Conv2d(in_channels, 1, 1, stride), nn.Conv2d(1, out_channels, 1))

    def forward(self, x):
        return self.shortcut(x) + self.sublayer(x)
