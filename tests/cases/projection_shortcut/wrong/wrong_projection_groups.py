"""The projection works on two halves of the channels."""

from torch import nn


class ProjectionShortcut(nn.Module):
    def __init__(self, in_channels, out_channels, stride, sublayer):
        super().__init__()
        self.sublayer = sublayer
        self.shortcut = nn.Identity()
        if in_channels != out_channels or stride != 1:
            self.shortcut = nn.Conv2d(in_channels, out_channels, 1, stride, groups=2 if in_channels % 2 == out_channels % 2 == 0 else 1)

    def forward(self, x):
        return self.shortcut(x) + self.sublayer(x)
