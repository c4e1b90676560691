"""Layers are made from the widest to the narrowest."""
from previous_chapters import GELU
from torch import nn


class ExampleDeepNeuralNetwork(nn.Module):
    def __init__(self, layer_sizes, use_shortcut):
        super().__init__()
        self.use_shortcut = use_shortcut
        pairs = sorted(enumerate(zip(layer_sizes, layer_sizes[1:])), key=lambda pair: -pair[1][1])
        self.layers = nn.ModuleDict({str(n): nn.Sequential(nn.Linear(a, b), GELU()) for n, (a, b) in pairs})

    def forward(self, x):
        for number in range(len(self.layers)):
            out = self.layers[str(number)](x)
            x = x + out if self.use_shortcut and x.shape == out.shape else out
        return x
