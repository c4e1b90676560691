"""A LayerNorm is applied to each sum."""
import torch
from previous_chapters import GELU
from torch import nn


class ExampleDeepNeuralNetwork(nn.Module):
    def __init__(self, layer_sizes, use_shortcut):
        super().__init__()
        self.use_shortcut = use_shortcut
        self.layers = nn.ModuleList([nn.Sequential(nn.Linear(a, b), GELU()) for a, b in zip(layer_sizes, layer_sizes[1:])])
        self.norms = nn.ModuleList([nn.LayerNorm(b) for b in layer_sizes[1:]])

    def forward(self, x):
        for layer, norm in zip(self.layers, self.norms):
            out = layer(x)
            x = norm(x + out) if self.use_shortcut and x.shape == out.shape else out
        return x
