"""Each layer is a module of its own and the network is an nn.Sequential of them."""
from torch import nn
from previous_chapters import GELU


class Layer(nn.Module):
    def __init__(self, size_in, size_out, shortcut):
        super().__init__()
        self.fc = nn.Linear(size_in, size_out)
        self.gelu = GELU()
        self.add_input = shortcut and size_in == size_out

    def forward(self, x):
        y = self.gelu(self.fc(x))
        return y + x if self.add_input else y


class ExampleDeepNeuralNetwork(nn.Module):
    def __init__(self, layer_sizes, use_shortcut):
        super().__init__()
        self.net = nn.Sequential()
        for i, (a, b) in enumerate(zip(layer_sizes, layer_sizes[1:]), start=1):
            self.net.add_module(f"layer{i}", Layer(a, b, use_shortcut))

    def forward(self, x):
        return self.net(x)
