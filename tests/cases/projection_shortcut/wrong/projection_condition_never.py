"""There is no projection at all."""

from torch import nn


class ProjectionShortcut(nn.Module):
    def __init__(self, in_channels, out_channels, stride, sublayer):
        super().__init__()
        self.sublayer = sublayer

    def forward(self, x):
        return x + self.sublayer(x)
