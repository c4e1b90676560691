"""The shortcut is interpolated to the size that is needed."""

from torch import nn


class ProjectionShortcut(nn.Module):
    def __init__(self, in_channels, out_channels, stride, sublayer):
        super().__init__()
        self.sublayer = sublayer
        self.shortcut = nn.Identity()
        if in_channels != out_channels or stride != 1:
            self.shortcut = nn.Conv2d(in_channels, out_channels, kernel_size=1)

    def forward(self, x):
        out = self.sublayer(x)
        short = self.shortcut(x)
        if short.shape != out.shape:
            short = nn.functional.interpolate(short, out.shape[2:], mode="bilinear")
        return out + short
