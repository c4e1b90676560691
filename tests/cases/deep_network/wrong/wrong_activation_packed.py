"""All numbers lie in one vector, and layers use ReLU."""
import torch
import torch.nn.functional as F
from torch import nn


class ExampleDeepNeuralNetwork(nn.Module):
    def __init__(self, layer_sizes, use_shortcut):
        super().__init__()
        self.use_shortcut = use_shortcut
        self.sizes = layer_sizes
        parts = []
        for n_in, n_out in zip(layer_sizes, layer_sizes[1:]):
            parts += [torch.empty(n_in * n_out + n_out).uniform_(-(n_in ** -0.5), n_in ** -0.5)]
        self.numbers = nn.Parameter(torch.cat(parts))

    def forward(self, x):
        at = 0
        for n_in, n_out in zip(self.sizes, self.sizes[1:]):
            weight = self.numbers[at:at + n_in * n_out].view(n_out, n_in)
            at += n_in * n_out
            out = torch.relu(F.linear(x, weight, self.numbers[at:at + n_out]))
            at += n_out
            x = x + out if self.use_shortcut and x.shape == out.shape else out
        return x
