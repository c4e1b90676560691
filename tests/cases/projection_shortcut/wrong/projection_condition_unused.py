"""The projection is there in all cases, and not used in some."""

from torch import nn


class ProjectionShortcut(nn.Module):
    def __init__(self, in_channels, out_channels, stride, sublayer):
        super().__init__()
        self.sublayer = sublayer
        self.shortcut = nn.Conv2d(in_channels, out_channels, kernel_size=1, stride=stride)

    def forward(self, x):
        out = self.sublayer(x)
        return out + (x if x.shape == out.shape else self.shortcut(x))
