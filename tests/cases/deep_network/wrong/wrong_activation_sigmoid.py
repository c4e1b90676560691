"""GELU as the short approximation with a sigmoid."""
import torch
import torch.nn as nn


def gelu(x):
    return x * torch.sigmoid(1.702 * x)


class ExampleDeepNeuralNetwork(nn.Module):
    def __init__(self, layer_sizes, use_shortcut):
        super().__init__()
        self.use_shortcut = use_shortcut
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip(layer_sizes, layer_sizes[1:]))

    def forward(self, x):
        for layer in self.layers:
            out = gelu(layer(x))
            if self.use_shortcut and out.shape == x.shape:
                out = out + x
            x = out
        return x
