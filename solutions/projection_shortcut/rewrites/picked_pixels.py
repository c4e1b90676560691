"""Pixels are picked by a pooling window of one, then projected, and the sum is made in place."""

from torch import nn


class ProjectionShortcut(nn.Module):
    def __init__(self, in_channels, out_channels, stride, sublayer):
        super().__init__()
        self.sublayer = sublayer
        same = in_channels == out_channels and stride == 1
        pick = nn.MaxPool2d(kernel_size=1, stride=stride)
        self.shortcut = nn.Identity() if same else nn.Sequential(pick, nn.Conv2d(in_channels, out_channels, 1))

    def forward(self, x):
        out = self.shortcut(x).clone()
        out += self.sublayer(x)
        return out
