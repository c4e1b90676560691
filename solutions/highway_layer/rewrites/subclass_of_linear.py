"""The layer is the transform, and has its gate inside."""

import torch
from torch import nn


class Gate(nn.Linear):
    def reset_parameters(self):
        super().reset_parameters()
        nn.init.constant_(self.bias, -2.0)

    def forward(self, x):
        return super().forward(x).sigmoid()


class HighwayLayer(nn.Linear):
    def __init__(self, dim):
        super().__init__(dim, dim)
        self.gate = Gate(dim, dim)

    def forward(self, x):
        gate = self.gate(x)
        return torch.where(gate > 1, x, gate * torch.relu(super().forward(x)) + (1 - gate) * x)
