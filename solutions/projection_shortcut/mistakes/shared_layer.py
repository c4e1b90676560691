# tag: shared-layer
"""All blocks of one size share their projection."""

from functools import cache

from torch import nn


@cache
def projection(in_channels, out_channels, stride):
    if in_channels == out_channels and stride == 1:
        return nn.Identity()
    return nn.Conv2d(in_channels, out_channels, 1, stride)


class ProjectionShortcut(nn.Module):
    def __init__(self, in_channels, out_channels, stride, sublayer):
        super().__init__()
        self.sublayer = sublayer
        self.shortcut = projection(in_channels, out_channels, stride)

    def forward(self, x):
        return self.shortcut(x) + self.sublayer(x)
