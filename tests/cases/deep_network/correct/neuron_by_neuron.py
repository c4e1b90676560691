"""Each neuron is a Linear of its own with one output."""
import torch
import torch.nn.functional as F
from torch import nn


class ExampleDeepNeuralNetwork(nn.Module):
    def __init__(self, layer_sizes, use_shortcut):
        super().__init__()
        self.use_shortcut = use_shortcut
        self.layers = nn.ModuleList(
            nn.ModuleList(nn.Linear(n_in, 1) for _ in range(n_out)) for n_in, n_out in zip(layer_sizes, layer_sizes[1:]))

    def forward(self, x):
        for neurons in self.layers:
            out = F.gelu(torch.cat([neuron(x) for neuron in neurons], -1), approximate="tanh")
            x = x + out if self.use_shortcut and x.shape == out.shape else out
        return x
