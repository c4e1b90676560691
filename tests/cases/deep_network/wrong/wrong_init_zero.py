"""Starts from a known state."""
from torch import nn
from previous_chapters import GELU


class ExampleDeepNeuralNetwork(nn.Module):
    def __init__(self, layer_sizes, use_shortcut):
        super().__init__()
        self.use_shortcut = use_shortcut
        self.layers = nn.ModuleList(
            [nn.Sequential(nn.Linear(a, b), GELU()) for a, b in zip(layer_sizes, layer_sizes[1:])])
        self.apply(self._init)

    def _init(self, module):
        if isinstance(module, nn.Linear):
            module.weight.data.zero_()
            module.bias.data.zero_()

    def forward(self, x):
        for layer in self.layers:
            out = layer(x)
            if self.use_shortcut and x.shape == out.shape:
                x = x + out
            else:
                x = out
        return x
