"""As ResNet code is written, without a bias."""

from torch import nn


class ProjectionShortcut(nn.Module):
    def __init__(self, in_channels, out_channels, stride, sublayer):
        super(ProjectionShortcut, self).__init__()
        self.residual = sublayer
        self.downsample = None
        if stride != 1 or in_channels != out_channels:
            self.downsample = nn.Conv2d(in_channels, out_channels, kernel_size=1, stride=stride, bias=False)

    def forward(self, x):
        identity = x
        out = self.residual(x)
        if self.downsample is not None:
            identity = self.downsample(x)
        out = out + identity
        return out
