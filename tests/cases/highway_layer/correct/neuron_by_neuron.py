"""Feature by feature, in a loop."""

import torch
from torch import nn


class HighwayLayer(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.made = nn.ModuleList(nn.Linear(dim, 1) for _ in range(dim))
        self.gates = nn.ModuleList(nn.Linear(dim, 1) for _ in range(dim))
        for gate in self.gates:
            nn.init.constant_(gate.bias, -2.0)

    def forward(self, x):
        features = []
        for at, (made, gate) in enumerate(zip(self.made, self.gates)):
            t = torch.sigmoid(gate(x)).squeeze(-1)
            h = nn.functional.relu(made(x)).squeeze(-1)
            features.append(t * h + (1 - t) * x[..., at])
        return torch.stack(features, dim=-1)
