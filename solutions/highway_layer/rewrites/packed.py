"""One linear layer for both maps, split in two."""

import torch
from torch import nn


class HighwayLayer(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.both = nn.Linear(dim, 2 * dim)
        with torch.no_grad():
            self.both.bias[dim:] = -2.0

    def forward(self, x):
        made, gate = self.both(x).chunk(2, dim=-1)
        gate = gate.sigmoid()
        return gate * made.relu() + (1 - gate) * x
