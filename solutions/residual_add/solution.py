"""Exercise: a residual block around any sublayer.

Fill in what is missing below. The docstrings are the task; `previous_chapters.py` has the blocks from the earlier
chapters, in case you want to try your class on one of them.
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
        # BEGIN SOLUTION: Make the norm and the dropout, and keep the sublayer.
        self.norm = nn.LayerNorm(dim)
        self.sublayer = sublayer
        self.drop = nn.Dropout(dropout)
        # END SOLUTION

    def forward(self, x: torch.Tensor, **kwargs: Any) -> torch.Tensor:
        """Apply the block to `x` (..., dim); `kwargs` belong to the sublayer."""
        # BEGIN SOLUTION: Norm, sublayer, dropout, sum.
        return x + self.drop(self.sublayer(self.norm(x), **kwargs))
        # END SOLUTION


class TinyBlock(nn.Module):
    """A small transformer block from two `ResidualAdd`s: one around an attention, one around a feed forward.

    With A for the attention and F for the feed forward, build

        h = x + Dropout(A(Norm1(x)))
        y = h + Dropout(F(Norm2(h)))

    - A is an `nn.MultiheadAttention(d_model, nhead, batch_first=True)`. It is called with queries, keys and values:
      here all three are the tensor that the sublayer gets. It returns two things, and the first is the result.
    - F is a Linear from `d_model` to `4 * d_model`, an `nn.GELU()`, and a Linear back.
    - All parameters must show up in `block.parameters()`: an optimiser trains no others. Count them, for example with
      `sum(p.numel() for p in block.parameters())`: the attention alone has 16,640 for the default sizes.

    Shape:
        - input `x`: (batch, tokens, d_model), for example (2, 16, 64)
        - output: the same shape as `x`
    """

    def __init__(self, d_model: int = 64, nhead: int = 4) -> None:
        super().__init__()
        # BEGIN SOLUTION: Make the attention and the feed forward, each within a ResidualAdd.
        self.attention = nn.MultiheadAttention(d_model, nhead, batch_first=True)
        self.attend = ResidualAdd(d_model, lambda h: self.attention(h, h, h, need_weights=False)[0])
        layers = nn.Linear(d_model, 4 * d_model), nn.GELU(), nn.Linear(4 * d_model, d_model)
        self.feed_forward = ResidualAdd(d_model, nn.Sequential(*layers))
        # END SOLUTION

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Apply both, the attention first, to `x` (batch, tokens, d_model)."""
        # BEGIN SOLUTION: Attention, then feed forward.
        return self.feed_forward(self.attend(x))
        # END SOLUTION
