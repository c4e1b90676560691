"""The gate says what is carried, so its bias starts at 2."""

import torch
from torch import nn


class HighwayLayer(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.transform = nn.Linear(dim, dim)
        self.carry = nn.Linear(dim, dim)
        nn.init.constant_(self.carry.bias, 2.0)

    def forward(self, x):
        carry = torch.sigmoid(self.carry(x))
        return carry * x + (1 - carry) * torch.relu(self.transform(x))
