# tag: unregistered-params
"""The projection is kept in a list."""

from torch import nn


class ProjectionShortcut(nn.Module):
    def __init__(self, in_channels, out_channels, stride, sublayer):
        super().__init__()
        self.paths = [sublayer, lambda x: x]
        if in_channels != out_channels or stride != 1:
            self.paths[1] = nn.Conv2d(in_channels, out_channels, 1, stride)

    def forward(self, x):
        return self.paths[1](x) + self.paths[0](x)
