"""The projection is made on each call."""

from torch import nn


class ProjectionShortcut(nn.Module):
    def __init__(self, in_channels, out_channels, stride, sublayer):
        super().__init__()
        self.stride = stride
        self.sublayer = sublayer

    def forward(self, x):
        out = self.sublayer(x)
        if x.shape != out.shape:
            x = nn.Conv2d(x.shape[1], out.shape[1], 1, self.stride, dtype=x.dtype)(x)
        return x + out
