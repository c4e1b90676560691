"""Draws a random number before it makes its layers and clones each shortcut."""
import torch
import torch.nn as nn
from previous_chapters import GELU


class ExampleDeepNeuralNetwork(nn.Module):
    def __init__(self, layer_sizes, use_shortcut):
        super().__init__()
        self.run_name = f"run-{torch.randint(0, 1000, (1,)).item()}"
        self.use_shortcut = use_shortcut
        self.layers = nn.ModuleList(
            [nn.Sequential(nn.Linear(a, b), GELU()) for a, b in zip(layer_sizes, layer_sizes[1:])])

    def forward(self, x):
        for layer in self.layers:
            shortcut = x.clone()
            x = layer(x)
            if self.use_shortcut:
                if x.shape == shortcut.shape:
                    x = x + shortcut
        return x
