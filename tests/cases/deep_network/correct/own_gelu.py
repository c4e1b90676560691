"""Own GELU function with math.pi and an own base class for the loop."""
import math

import torch
from torch import nn


def gelu(x):
    return x * 0.5 * (1.0 + torch.tanh((2.0 / math.pi) ** 0.5 * (x + 0.044715 * x * x * x)))


class Chain(nn.Module):
    def steps(self):
        raise NotImplementedError

    def forward(self, x):
        for step in self.steps():
            x = step(x)
        return x


class ExampleDeepNeuralNetwork(Chain):
    def __init__(self, layer_sizes, use_shortcut):
        super().__init__()
        self.use_shortcut = bool(use_shortcut)
        self.fcs = nn.ModuleList(map(nn.Linear, layer_sizes[:-1], layer_sizes[1:]))

    def _step(self, fc, x):
        y = gelu(fc(x))
        return x + y if self.use_shortcut and x.shape[-1] == y.shape[-1] else y

    def steps(self):
        return [lambda x, fc=fc: self._step(fc, x) for fc in self.fcs]
