"""Trains for a few steps and prints gradients at the bottom of the file."""
import torch
import torch.nn as nn
from previous_chapters import GELU


class ExampleDeepNeuralNetwork(nn.Module):
    def __init__(self, layer_sizes, use_shortcut):
        super().__init__()
        self.use_shortcut = use_shortcut
        layers = []
        for i in range(len(layer_sizes) - 1):
            layers.append(nn.Sequential(nn.Linear(layer_sizes[i], layer_sizes[i + 1]), GELU()))
        self.layers = nn.ModuleList(layers)

    def forward(self, x):
        for layer in self.layers:
            out = layer(x)
            if self.use_shortcut and x.shape == out.shape:
                x = x + out
            else:
                x = out
        return x
def print_gradients(model, x):
    output = model(x)
    loss = nn.MSELoss()(output, torch.tensor([[0.]]))
    loss.backward()
    for name, param in model.named_parameters():
        if 'weight' in name:
            print(f"{name} has gradient mean of {param.grad.abs().mean().item()}")


torch.manual_seed(123)
sample_input = torch.tensor([[1., 0., -1.]])
net = ExampleDeepNeuralNetwork([3, 3, 3, 3, 3, 1], use_shortcut=True)
print_gradients(net, sample_input)
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
for _ in range(5):
    opt.zero_grad()
    net(sample_input).pow(2).sum().backward()
    opt.step()
