"""Channels of zeros are added, or the last ones cut off."""

from torch import nn


class ProjectionShortcut(nn.Module):
    def __init__(self, in_channels, out_channels, stride, sublayer):
        super().__init__()
        self.sublayer, self.stride = sublayer, stride
        self.fits = in_channels == out_channels and stride == 1

    def forward(self, x):
        out = self.sublayer(x)
        if self.fits:
            return x + out
        short = x[:, : out.shape[1], :: self.stride, :: self.stride]
        return out + nn.functional.pad(short, (0, 0, 0, 0, 0, out.shape[1] - short.shape[1]))
