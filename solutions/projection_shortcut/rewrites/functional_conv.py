"""Weight and bias as parameters, with a functional convolution."""

import torch
from torch import nn


class ProjectionShortcut(nn.Module):
    def __init__(self, in_channels, out_channels, stride, sublayer):
        super().__init__()
        self.sublayer, self.stride = sublayer, stride
        self.projection = nn.ParameterDict()
        if in_channels != out_channels or stride != 1:
            self.projection["weight"] = nn.Parameter(0.1 * torch.randn(out_channels, in_channels, 1, 1))
            self.projection["bias"] = nn.Parameter(torch.zeros(out_channels))

    def forward(self, x):
        short = nn.functional.conv2d(x, **self.projection, stride=self.stride) if self.projection else x
        return sum([short, self.sublayer(x)])
