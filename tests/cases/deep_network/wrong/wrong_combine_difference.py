"""Residual as a difference."""
from torch import nn
from previous_chapters import GELU


class ExampleDeepNeuralNetwork(nn.Module):
    def __init__(self, layer_sizes, use_shortcut=True):
        super().__init__()
        self.shortcut = use_shortcut
        self.linears = nn.ModuleList(nn.Linear(a, b) for a, b in zip(layer_sizes, layer_sizes[1:]))
        self.act = GELU()

    def forward(self, x):
        for linear in self.linears:
            y = self.act(linear(x))
            x = y - x if self.shortcut and y.shape == x.shape else y
        return x
