"""Exercise: a post-norm block, as in the first transformer.

Fill in the class below. Its docstring is the task.
"""

from collections.abc import Callable

import torch
from torch import nn


class PostNormBlock(nn.Module):
    """Run a sublayer, add its input back, and normalise the sum.

    With F for the sublayer and Norm for a layer norm, build

        y = Norm(x + Dropout(F(x)))

    This is post-norm ("Add & Norm" in the drawing of the first transformer). Pre-norm, x + F(Norm(x)), is another
    block: there the norm comes before the sublayer, and nothing is normalised after the sum.

    Steps:

    1. Call the sublayer once, on `x` as it came in.
    2. Apply dropout to what the sublayer returns: before the sum, never on the shortcut. Its rate is the argument
       `dropout`, which is 0.1 if it is left out. In eval mode dropout does nothing.
    3. Add `x`. Both parts count in full: no other factors, no activation.
    4. Normalise the sum with an `nn.LayerNorm(dim)`. Each block has its own norm, with a trainable scale and shift.

    Rules:

    - `sublayer` may be a module or a plain function. The parameters of a module must show up in `block.parameters()`,
      so keep it as an attribute.
    - Make all layers in `__init__`, none in `forward`. Both paths must let gradients through.
    - Do not change `x` in place: the caller still needs it.
    - Return one tensor. Keep the dtype and device of `x`, and do not touch seeds or other global settings.

    Shape:
        - input `x`: (..., dim), for example (batch, tokens, dim)
        - output: the same shape as `x`

    Example:
        >>> import torch
        >>> from torch import nn
        >>> block = PostNormBlock(8, nn.Linear(8, 8), dropout=0.1)
        >>> y = block(5 * torch.randn(2, 4, 8))
        >>> print(y.shape)
        torch.Size([2, 4, 8])
        >>> print(y.mean(dim=-1).abs().max() < 0.001)  # a new norm leaves rows of mean 0
        tensor(True)
    """

    def __init__(self, dim: int, sublayer: Callable[[torch.Tensor], torch.Tensor], dropout: float = 0.1) -> None:
        super().__init__()
        # Keep the sublayer, and make the dropout and the norm.
        raise NotImplementedError("Write this part, then delete this line.")

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Apply the block to `x` (..., dim)."""
        # Sublayer, dropout, sum, norm.
        raise NotImplementedError("Write this part, then delete this line.")
