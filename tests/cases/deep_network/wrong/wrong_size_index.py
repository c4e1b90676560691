"""Five layers with index numbers."""
from torch import nn
from previous_chapters import GELU


class ExampleDeepNeuralNetwork(nn.Module):
    def __init__(self, layer_sizes, use_shortcut):
        super().__init__()
        self.use_shortcut = use_shortcut
        s = layer_sizes
        self.layers = nn.ModuleList([
            nn.Sequential(nn.Linear(s[0], s[1]), GELU()),
            nn.Sequential(nn.Linear(s[1], s[2]), GELU()),
            nn.Sequential(nn.Linear(s[2], s[3]), GELU()),
            nn.Sequential(nn.Linear(s[3], s[4]), GELU()),
            nn.Sequential(nn.Linear(s[4], s[4]), GELU()),
        ])

    def forward(self, x):
        for layer in self.layers:
            out = layer(x)
            if self.use_shortcut and x.shape == out.shape:
                x = x + out
            else:
                x = out
        return x
