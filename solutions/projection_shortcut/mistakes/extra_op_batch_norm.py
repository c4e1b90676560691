# tag: extra-op | formula: BatchNorm(W·x) + F(x) | checks: is_the_same_in_training_and_evaluation
"""The projection has a batch norm."""

from torch import nn


class ProjectionShortcut(nn.Module):
    def __init__(self, in_channels, out_channels, stride, sublayer):
        super().__init__()
        self.sublayer = sublayer
        self.shortcut = nn.Identity()
        if in_channels != out_channels or stride != 1:
            self.shortcut = nn.Sequential(
                nn.Conv2d(in_channels, out_channels, 1, stride, bias=False), nn.BatchNorm2d(out_channels)
            )

    def forward(self, x):
        return self.shortcut(x) + self.sublayer(x)
