"""Layers use an activation that no catalogue has."""
import torch
from torch import nn


class ExampleDeepNeuralNetwork(nn.Module):
    def __init__(self, layer_sizes, use_shortcut):
        super().__init__()
        self.use_shortcut = use_shortcut
        self.layers = nn.ModuleList(
            [nn.Linear(a, b) for a, b in zip(layer_sizes, layer_sizes[1:])])

    def forward(self, x):
        for layer in self.layers:
            z = layer(x)
            out = z * torch.sigmoid(3 * z)
            x = x + out if self.use_shortcut and x.shape == out.shape else out
        return x
