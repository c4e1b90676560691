"""The bias is the last column of each weight."""
import torch
import torch.nn.functional as F
from torch import nn


class ExampleDeepNeuralNetwork(nn.Module):
    def __init__(self, layer_sizes, use_shortcut):
        super().__init__()
        self.use_shortcut = use_shortcut
        self.weights = nn.ParameterList()
        for n_in, n_out in zip(layer_sizes, layer_sizes[1:]):
            self.weights.append(nn.Parameter(torch.empty(n_in + 1, n_out).uniform_(-(n_in ** -0.5), n_in ** -0.5)))

    def forward(self, x):
        for weight in self.weights:
            out = F.gelu(torch.cat([x, torch.ones_like(x[..., :1])], -1) @ weight, approximate="tanh")
            x = x + out if self.use_shortcut and x.shape == out.shape else out
        return x
