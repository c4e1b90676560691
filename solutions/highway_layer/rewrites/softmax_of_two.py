"""The two parts are weighed by a softmax of the gate's number and zero."""

import torch
from torch import nn


class HighwayLayer(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.maps = nn.ModuleDict({"made": nn.Linear(dim, dim), "gate": nn.Linear(dim, dim)})
        nn.init.constant_(self.maps["gate"].bias, -2.0)

    def forward(self, x):
        score = self.maps["gate"](x)
        weights = torch.softmax(torch.stack([score, torch.zeros_like(score)]), dim=0)
        return (weights * torch.stack([torch.relu(self.maps["made"](x)), x])).sum(dim=0)
