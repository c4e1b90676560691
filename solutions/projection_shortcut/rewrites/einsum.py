"""A parameter and einsum in place of a convolution."""

import torch
from torch import nn


class ProjectionShortcut(nn.Module):
    def __init__(self, in_channels, out_channels, stride, sublayer):
        super().__init__()
        self.sublayer, self.stride = sublayer, stride
        if in_channels != out_channels or stride > 1:
            self.weight = nn.Parameter(torch.randn(out_channels, in_channels) / in_channels**0.5)
        else:
            self.register_parameter("weight", None)

    def forward(self, x):
        if self.weight is None:
            return torch.add(x, self.sublayer(x))
        short = torch.einsum("oi,bihw->bohw", self.weight, x[:, :, :: self.stride, :: self.stride])
        return torch.add(short, self.sublayer(x))
