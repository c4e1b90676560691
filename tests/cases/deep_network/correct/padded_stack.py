"""One stack of weights for all layers, padded to the widest."""
import torch
import torch.nn.functional as F
from torch import nn


class ExampleDeepNeuralNetwork(nn.Module):
    def __init__(self, layer_sizes, use_shortcut):
        super().__init__()
        self.use_shortcut = use_shortcut
        self.sizes = layer_sizes
        widest, count = max(layer_sizes), len(layer_sizes) - 1
        weights, biases = torch.zeros(count, widest, widest), torch.zeros(count, widest)
        for number, (n_in, n_out) in enumerate(zip(layer_sizes, layer_sizes[1:])):
            weights[number, :n_out, :n_in].uniform_(-(n_in ** -0.5), n_in ** -0.5)
            biases[number, :n_out].uniform_(-(n_in ** -0.5), n_in ** -0.5)
        self.weights, self.biases = nn.Parameter(weights), nn.Parameter(biases)

    def forward(self, x):
        for number, (n_in, n_out) in enumerate(zip(self.sizes, self.sizes[1:])):
            out = F.linear(x, self.weights[number, :n_out, :n_in], self.biases[number, :n_out])
            out = F.gelu(out, approximate="tanh")
            x = x + out if self.use_shortcut and n_in == n_out else out
        return x
