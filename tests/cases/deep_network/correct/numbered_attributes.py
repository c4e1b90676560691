"""Numbered attributes with setattr and getattr."""
from torch import nn
from previous_chapters import GELU


class ExampleDeepNeuralNetwork(nn.Module):
    def __init__(self, layer_sizes, use_shortcut):
        super().__init__()
        self.n = len(layer_sizes) - 1
        self.use_shortcut = use_shortcut
        self.activation = GELU()
        for k in range(self.n):
            setattr(self, f"fc{k}", nn.Linear(layer_sizes[k], layer_sizes[k + 1]))

    def forward(self, x):
        for k in range(self.n):
            fc = getattr(self, f"fc{k}")
            y = self.activation(fc(x))
            if self.use_shortcut and fc.in_features == fc.out_features:
                y = y + x
            x = y
        return x
