# tag: wrong-return | checks: returns_one_tensor
"""Returns a single row without its first axis."""

import torch
from torch import nn
from previous_chapters import GELU


class ExampleDeepNeuralNetwork(nn.Module):
    def __init__(self, layer_sizes, use_shortcut):
        super().__init__()
        self.use_shortcut = use_shortcut
        self.layers = nn.ModuleList(
            nn.Sequential(nn.Linear(n_in, n_out), GELU()) for n_in, n_out in zip(layer_sizes, layer_sizes[1:])
        )

    def forward(self, x):
        for layer in self.layers:
            out = layer(x)
            x = x + out if self.use_shortcut and x.shape == out.shape else out
        return x.squeeze(0)
