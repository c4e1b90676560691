"""Weights and biases in ParameterLists, functional linear and functional tanh GELU."""
import math

import torch
import torch.nn.functional as F
from torch import nn


class ExampleDeepNeuralNetwork(nn.Module):
    def __init__(self, layer_sizes, use_shortcut):
        super().__init__()
        self.use_shortcut = use_shortcut
        weights, biases = [], []
        for n_in, n_out in zip(layer_sizes, layer_sizes[1:]):
            weight, bias = torch.empty(n_out, n_in), torch.empty(n_out)
            nn.init.kaiming_uniform_(weight, a=math.sqrt(5))
            nn.init.uniform_(bias, -1 / math.sqrt(n_in), 1 / math.sqrt(n_in))
            weights.append(nn.Parameter(weight))
            biases.append(nn.Parameter(bias))
        self.weights, self.biases = nn.ParameterList(weights), nn.ParameterList(biases)

    def forward(self, x):
        for w, b in zip(self.weights, self.biases):
            y = F.gelu(F.linear(x, w, b), approximate="tanh")
            x = y + x if self.use_shortcut and y.shape == x.shape else y
        return x
