"""Exercise: a deep network with and without shortcuts.

Fill in what is missing below. The docstrings are the task. Once your network runs, compare the gradients of the first
layer with and without shortcuts: that is what shortcuts are for.
"""

from itertools import pairwise

import torch
from previous_chapters import GELU
from torch import nn


class ExampleDeepNeuralNetwork(nn.Module):
    """A chain of Linear + GELU layers; with `use_shortcut` each adds its input to its output.

    A layer computes GELU(Linear(x)). With shortcuts it becomes

        x = x + GELU(Linear(x))     if use_shortcut is true and both have the same shape
        x = GELU(Linear(x))         in all other cases

    Steps:

    1. For each pair of neighbours in `layer_sizes` make one layer: an `nn.Linear` (with bias) followed by the `GELU`
       from `previous_chapters`. Six sizes give five layers, and the last one has a GELU like the others. All sizes
       follow `layer_sizes`.
    2. Make the layers in `__init__`, from first to last, each with weights of its own. Leave the weights as torch
       draws them: the numbers in the example depend on that.
    3. In `forward`, run through the layers. Compare the shape of the layer's input with the shape of its output. If
       they are equal and `use_shortcut` is true, add the input of this very layer; otherwise pass on the output.

    Rules:

    - Shapes must match, never broadcast: where the shapes differ there is no shortcut, and no projection either.
    - The sum is the layer's result: GELU comes before it, and both parts count in full.
    - Nothing else is asked for: no norm, no dropout, no other layers.
    - All parameters must show up in `model.parameters()`, and both paths must let gradients through.
    - Do not change `x` in place: the caller still needs it.
    - Return one tensor. Keep the dtype and device of `x`, and do not touch seeds or other global settings: only the
      caller sets the seed.

    Shape:
        - input `x`: (batch, layer_sizes[0])
        - output: (batch, layer_sizes[-1])

    Example:
        >>> import torch
        >>> from torch import nn
        >>> sizes = [3, 3, 3, 3, 3, 1]
        >>> x = torch.tensor([[1.0, 0.0, -1.0]])
        >>> for use_shortcut in (False, True):
        ...     _ = torch.manual_seed(123)
        ...     model = ExampleDeepNeuralNetwork(sizes, use_shortcut)
        ...     nn.functional.mse_loss(model(x), torch.zeros(1, 1)).backward()
        ...     gradient = [p.grad.abs().mean().item() for p in model.parameters() if p.dim() == 2]
        ...     print(use_shortcut, "first layer:", f"{gradient[0]:.4f}", "last layer:", f"{gradient[-1]:.4f}")
        False first layer: 0.0002 last layer: 0.0050
        True first layer: 0.2217 last layer: 1.3259
    """

    def __init__(self, layer_sizes: list[int], use_shortcut: bool) -> None:
        super().__init__()
        # BEGIN SOLUTION: Make one layer for each pair of neighbouring sizes.
        self.use_shortcut = use_shortcut
        layers = (nn.Sequential(nn.Linear(n_in, n_out), GELU()) for n_in, n_out in pairwise(layer_sizes))
        self.layers = nn.ModuleList(layers)
        # END SOLUTION

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Apply all layers to `x` (batch, layer_sizes[0])."""
        # BEGIN SOLUTION: Layer by layer, with the shortcut where it fits.
        for layer in self.layers:
            output = layer(x)
            x = x + output if self.use_shortcut and x.shape == output.shape else output
        return x
        # END SOLUTION


def print_gradients(model: nn.Module, x: torch.Tensor) -> None:
    """Print one line for each weight of `model`: its name, and the mean of the absolute values of its gradient.

    - The loss is the mean squared error between `model(x)` and zeros of the same shape. Run it backward once.
    - A weight is a parameter with two axes. Biases are left out.
    - List the weights from the first layer to the last. How a line looks is up to you, but leave at least four digits
      of each number: some are small.

    With the sizes, the input and the seed of the example above, the first line says 0.0002017 without shortcuts, and
    0.2217 with them.
    """
    # BEGIN SOLUTION: Loss, backward pass, one line for each weight.
    model.zero_grad()
    output = model(x)
    nn.functional.mse_loss(output, torch.zeros_like(output)).backward()
    for name, parameter in model.named_parameters():
        if parameter.dim() == 2 and parameter.grad is not None:
            print(f"{name}: {parameter.grad.abs().mean().item():.4g}")
    # END SOLUTION
