# file: deep_network.py | verdict: not_run | costs: all | says: No file for this exercise was found
from torch import nn


class ExampleDeepNeuralNetwork(nn.Module):
    pass
