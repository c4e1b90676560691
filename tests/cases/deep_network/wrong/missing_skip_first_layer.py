"""First layer on its own, then the loop."""
import torch
import torch.nn as nn
from previous_chapters import GELU


class ExampleDeepNeuralNetwork(nn.Module):
    def __init__(self, layer_sizes, use_shortcut):
        super().__init__()
        self.use_shortcut = use_shortcut
        layers = []
        for i in range(len(layer_sizes) - 1):
            layers.append(nn.Sequential(nn.Linear(layer_sizes[i], layer_sizes[i + 1]), GELU()))
        self.layers = nn.ModuleList(layers)

    def forward(self, x):
        x = self.layers[0](x)
        for layer in self.layers[1:]:
            out = layer(x)
            x = x + out if self.use_shortcut and out.shape == x.shape else out
        return x
