# tag: shortcut-flag-ignored
"""A method for each kind of layer."""
from torch import nn
from previous_chapters import GELU


class ExampleDeepNeuralNetwork(nn.Module):
    def __init__(self, layer_sizes, use_shortcut):
        super().__init__()
        self.use_shortcut = use_shortcut
        layers = []
        for i in range(len(layer_sizes) - 1):
            layers.append(nn.Sequential(nn.Linear(layer_sizes[i], layer_sizes[i + 1]), GELU()))
        self.layers = nn.ModuleList(layers)

    def _plain(self, layer, x):
        return layer(x)

    def _with_shortcut(self, layer, x):
        out = layer(x)
        return x + out if x.shape == out.shape else out

    def forward(self, x):
        for layer in self.layers:
            x = self._plain(layer, x)
        return x
