"""Exercise: a residual block around any sublayer.

Fill in the class below. Its docstring is the task; `previous_chapters.py` has the blocks from the earlier chapters, in
case you want to try your class on one of them.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import nn


class ResidualAdd(nn.Module):
    """Run a sublayer on the normalised input and add the input back.

    With F for the sublayer and Norm for a layer norm, build

        y = x + Dropout(F(Norm(x)))

    Steps:

    1. Normalise `x` with an `nn.LayerNorm(dim)` (pre-norm: the norm comes before the sublayer, and nothing is
       normalised after the sum). Each `ResidualAdd` has its own norm, with a trainable scale and shift.
    2. Call the sublayer once, on the normalised tensor. Pass on all keyword arguments that `forward` is given.
    3. Apply dropout to what the sublayer returns: after the sublayer, before the sum, never on the shortcut. Its rate
       is the argument `dropout`, which is 0.1 if it is left out. In eval mode dropout does nothing.
    4. Add `x` as it came in, before the norm. Both parts count in full: no other factors, no activation.

    Rules:

    - `sublayer` may be a module or a plain function. The parameters of a module must show up in
      `block.parameters()`, so keep it as an attribute.
    - Make all layers in `__init__`, none in `forward`. Both paths must let gradients through.
    - Shapes must match: the sublayer returns the shape it was given. Never shorten or average a tensor so that
      broadcasting fills the gap.
    - Do not change `x` in place: the caller still needs it.
    - Return one tensor. Keep the dtype and device of `x`, and do not touch seeds or other global settings.

    Shape:
        - input `x`: (..., dim), for example (batch, tokens, dim)
        - output: the same shape as `x`

    Example:
        >>> import torch
        >>> from torch import nn
        >>> block = ResidualAdd(8, nn.Linear(8, 8), dropout=0.1)
        >>> x = torch.randn(2, 5, 8)
        >>> print(block(x).shape)
        torch.Size([2, 5, 8])
        >>> nothing = ResidualAdd(8, torch.zeros_like)  # a sublayer that returns zeros
        >>> print(torch.equal(nothing(x), x))  # so only the shortcut is left
        True
    """

    def __init__(self, dim: int, sublayer: Callable[..., torch.Tensor], dropout: float = 0.1) -> None:
        super().__init__()
        # Make the norm and the dropout, and keep the sublayer.
        self.norm = nn.LayerNorm(dim)
        self.sublayer = sublayer
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: torch.Tensor, **kwargs: Any) -> torch.Tensor:
        """Apply the block to `x` (..., dim); `kwargs` belong to the sublayer."""
        # Norm, sublayer, dropout, sum.
        out = self.sublayer(self.norm(x), **kwargs)
        return x + self.dropout(out)
