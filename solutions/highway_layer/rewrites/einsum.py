"""Parameters and einsum in place of layers, with the weights stored by input."""

import torch
from torch import nn


class HighwayLayer(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.weights = nn.Parameter(torch.empty(2, dim, dim).uniform_(-1, 1) / dim**0.5)
        self.biases = nn.Parameter(torch.stack([torch.zeros(dim).uniform_(-1, 1) / dim**0.5, torch.full((dim,), -2.0)]))

    def forward(self, x):
        h, t = (torch.einsum("...i,io->...o", x, w) + b for w, b in zip(self.weights, self.biases))
        return torch.lerp(x, h.clamp(min=0), 1 / (1 + torch.exp(-t)))
