"""Treats the output layer as output layer."""
from torch import nn
from previous_chapters import GELU


class ExampleDeepNeuralNetwork(nn.Module):
    def __init__(self, layer_sizes, use_shortcut=True):
        super().__init__()
        self.shortcut = use_shortcut
        self.linears = nn.ModuleList(nn.Linear(a, b) for a, b in zip(layer_sizes, layer_sizes[1:]))
        self.act = GELU()

    def forward(self, x):
        last = len(self.linears) - 1
        for i, linear in enumerate(self.linears):
            y = linear(x)
            if i < last:
                y = self.act(y)
            x = x + y if self.shortcut and x.shape == y.shape else y
        return x
