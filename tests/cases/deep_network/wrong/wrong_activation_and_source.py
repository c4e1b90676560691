"""Layers use ReLU, and the network's first input is added each time."""
from torch import nn


class ExampleDeepNeuralNetwork(nn.Module):
    def __init__(self, layer_sizes, use_shortcut):
        super().__init__()
        self.use_shortcut = use_shortcut
        self.layers = nn.ModuleList(
            [nn.Sequential(nn.Linear(a, b), nn.ReLU()) for a, b in zip(layer_sizes, layer_sizes[1:])])

    def forward(self, x):
        first = x
        for layer in self.layers:
            out = layer(x)
            x = first + out if self.use_shortcut and first.shape == out.shape else out
        return x
