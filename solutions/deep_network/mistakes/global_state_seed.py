# tag: global-state | checks: leaves_global_settings_alone
"""Always starts from the same weights."""
import torch
import torch.nn as nn
from previous_chapters import GELU


class ExampleDeepNeuralNetwork(nn.Module):
    def __init__(self, layer_sizes, use_shortcut):
        super().__init__()
        torch.manual_seed(123)
        self.use_shortcut = use_shortcut
        self.layers = nn.ModuleList(
            [nn.Sequential(nn.Linear(a, b), GELU()) for a, b in zip(layer_sizes, layer_sizes[1:])])

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
