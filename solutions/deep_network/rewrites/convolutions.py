"""Convolutions of width 1 in place of Linear."""
from previous_chapters import GELU
from torch import nn


class ExampleDeepNeuralNetwork(nn.Module):
    def __init__(self, layer_sizes, use_shortcut):
        super().__init__()
        self.use_shortcut = use_shortcut
        self.layers = nn.ModuleList(
            [nn.Sequential(nn.Conv1d(a, b, 1), GELU()) for a, b in zip(layer_sizes, layer_sizes[1:])])

    def forward(self, x):
        for layer in self.layers:
            out = layer(x.unsqueeze(-1)).squeeze(-1)
            x = x + out if self.use_shortcut and x.shape == out.shape else out
        return x
