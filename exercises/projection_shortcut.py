"""Exercise: a shortcut where the shape changes, as in a ResNet.

Fill in the class below. Its docstring is the task. A residual block adds its input to what a sublayer returns. In a
network for images the sublayer often returns more channels and smaller images, and then the input does not fit.
"""

from collections.abc import Callable

import torch
from torch import nn


class ProjectionShortcut(nn.Module):
    """Add the input to what a sublayer returns, and change its shape first where that is needed.

    With F for the sublayer, which is given, build

        y = x + F(x)      if in_channels equals out_channels and stride is 1
        y = W·x + F(x)    in all other cases

    W·x is the projection of the shortcut: a 1×1 convolution from `in_channels` to `out_channels` with the given
    `stride`. It takes each pixel that the stride lands on, and mixes its channels. Whether it has a bias is up to you.
    Leave its weights as torch draws them.

    Steps:

    1. In `__init__`, keep the sublayer, and make the projection if it is needed. Where it is not, the shortcut has no
       parameters at all.
    2. In `forward`, call the sublayer once, on `x` as it came in, and add the shortcut to what it returns.

    Rules:

    - Nothing else is asked for: no norm, no pooling, and no activation on the shortcut or on the sum. What a ResNet
      has of those can be part of the sublayer.
    - `sublayer` may be a module or a plain function. The parameters of a module must show up in
      `block.parameters()`, so keep it as an attribute.
    - Make all layers in `__init__`, none in `forward`. Both paths must let gradients through.
    - Do not change `x` in place: the caller still needs it.
    - Return one tensor. Keep the dtype and device of `x`, and do not touch seeds or other global settings.

    Shape:
        - input `x`: (batch, in_channels, height, width)
        - output: (batch, out_channels, ⌈height / stride⌉, ⌈width / stride⌉), which is what the sublayer returns

    Example:
        >>> import torch
        >>> from torch import nn
        >>> x = torch.randn(2, 4, 8, 8)
        >>> block = ProjectionShortcut(4, 6, 2, nn.Conv2d(4, 6, kernel_size=3, stride=2, padding=1))
        >>> print(block(x).shape)
        torch.Size([2, 6, 4, 4])
        >>> nothing = ProjectionShortcut(4, 4, 1, torch.zeros_like)  # a sublayer that returns zeros
        >>> print(torch.equal(nothing(x), x), len(list(nothing.parameters())))  # the shortcut is the input itself
        True 0
    """

    def __init__(
        self, in_channels: int, out_channels: int, stride: int, sublayer: Callable[[torch.Tensor], torch.Tensor]
    ) -> None:
        super().__init__()
        # Keep the sublayer, and make the shortcut.
        raise NotImplementedError("Write this part, then delete this line.")

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Apply the block to `x` (batch, in_channels, height, width)."""
        # Sublayer, shortcut, sum.
        raise NotImplementedError("Write this part, then delete this line.")
