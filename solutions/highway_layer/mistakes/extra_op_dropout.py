# tag: extra-op | checks: is_the_same_in_training_and_evaluation
"""The transform has dropout."""

import torch
from torch import nn


class HighwayLayer(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.transform = nn.Linear(dim, dim)
        self.gate = nn.Linear(dim, dim)
        nn.init.constant_(self.gate.bias, -2.0)
        self.drop = nn.Dropout(0.1)

    def forward(self, x):
        t = torch.sigmoid(self.gate(x))
        h = torch.relu(self.transform(x))
        return t * self.drop(h) + (1 - t) * x
