"""Exercise: a highway layer.

Fill in the class below. Its docstring is the task. A residual block always adds its input in full; a highway layer
learns, for each feature, how much of its input to carry and how much to transform.
"""

import torch
from torch import nn


class HighwayLayer(nn.Module):
    """Mix the input with what a sublayer makes of it, by a gate that is learned.

    With H for the sublayer and T for the gate, build

        y = T · H(x) + (1 - T) · x,    H(x) = ReLU(W_H x + b_H),    T = sigmoid(W_T x + b_T)

    Products are element by element: each feature has a gate of its own, between 0 (carry the input) and 1 (transform).

    Steps:

    1. Make one linear map for H and another for T, from `dim` to `dim` features, each with a weight and a bias.
    2. Set all of b_T to -2 when the layer is made. The gates of a new layer are then nearly closed: it carries most
       of its input, and a deep stack of such layers can be trained from the start. Leave all other weights as torch
       draws them.
    3. In `forward`, compute both from the same `x`, the input as it came in, and mix as above.

    Rules:

    - Nothing else is asked for: no norm, no dropout, no activation on the result.
    - All parameters must show up in `layer.parameters()`, and all paths must let gradients through.
    - Make all layers in `__init__`, none in `forward`.
    - Do not change `x` in place: the caller still needs it.
    - Return one tensor. Keep the dtype and device of `x`, and do not touch seeds or other global settings.

    Shape:
        - input `x`: (..., dim), for example (batch, tokens, dim)
        - output: the same shape as `x`

    Example:
        >>> import torch
        >>> layer = HighwayLayer(8)
        >>> x = torch.randn(2, 5, 8)
        >>> print(layer(x).shape)
        torch.Size([2, 5, 8])
        >>> print(sum(p.numel() for p in layer.parameters()))  # two linear maps: 2 · (8 · 8 + 8)
        144
    """

    def __init__(self, dim: int) -> None:
        super().__init__()
        # Make the two linear maps, and set the bias of the gate.
        raise NotImplementedError("Write this part, then delete this line.")

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Apply the layer to `x` (..., dim)."""
        # Gate, transform, mix.
        raise NotImplementedError("Write this part, then delete this line.")
