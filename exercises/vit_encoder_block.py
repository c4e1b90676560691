"""Exercise: an encoder block of a vision transformer (ViT).

Fill in the class below. Its docstring is the task. torch has an attention, `nn.MultiheadAttention`;
`previous_chapters.py` has the parts of the GPT block, of which some fit here and one does not.
"""

import torch
from torch import nn


class ViTEncoderBlock(nn.Module):
    """Self-attention over all patches of an image, then feed forward, each inside its own residual connection.

    A vision transformer cuts an image into patches; each patch is a token. With A for multi-head self-attention and F
    for the feed forward, build

        h = x + Dropout(A(Norm1(x)))
        y = h + Dropout(F(Norm2(h)))

    Steps:

    1. First half: normalise `x`, attend, apply dropout, add `x` as it was before the norm.
    2. Second half: normalise `h` (the result of the first half, not `x`), run the feed forward, apply dropout, add `h`
       as it was before the norm.
    3. Return `y`.

    Parts:

    - A has no mask. An image is there all at once, so every patch attends to all patches: to those before it, to itself
      and to those after it. Queries, keys and values all come from the normalised input, each head is `dim // heads`
      wide, scores are divided by the root of that width, and one last linear layer mixes the heads.
    - F is a linear layer to `4 * dim`, a GELU (the exact one of `nn.GELU()` or its tanh form) and a linear layer back
      to `dim`, both with bias.
    - Norm1 and Norm2 are two separate layer norms over `dim`, each with its own trainable scale and shift (pre-norm:
      each comes before its sublayer, and nothing is normalised after a sum).
    - Dropout has the rate `dropout`, acts on the result of A and on the result of F, before each sum, never on the
      shortcut. More dropout inside A (on the attention weights) or inside F (after the GELU) is usual and allowed. In
      eval mode nothing is dropped.

    Rules:

    - Make all layers in `__init__`, none in `forward`. All parameters must show up in `block.parameters()`, and all
      paths must let gradients through.
    - In each sum both parts count in full: no other factors, no activation.
    - Do not change `x` in place: the caller still needs it.
    - Return one tensor. Keep the dtype and device of `x`, and do not touch seeds or other global settings.

    Shape:
        - input `x`: (batch, patches, dim), any number of patches; `dim` is a multiple of `heads`
        - output: the same shape as `x`

    Example:
        >>> import torch
        >>> block = ViTEncoderBlock(32, 4, 0.1).eval()
        >>> x = torch.randn(2, 9, 32)  # two images of 3 x 3 patches
        >>> y = block(x)
        >>> print(y.shape)
        torch.Size([2, 9, 32])
        >>> changed = x.clone()
        >>> changed[:, -1] = torch.randn(2, 32)  # another last patch
        >>> print((block(changed)[:, 0] - y[:, 0]).abs().max() > 0)  # the first patch sees it
        tensor(True)
    """

    def __init__(self, dim: int, heads: int, dropout: float) -> None:
        super().__init__()
        # Make the attention, the feed forward, two norms and the dropout.
        raise NotImplementedError("Write this part, then delete this line.")

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Apply both halves to `x` (batch, patches, dim)."""
        # Two halves, each with its own shortcut.
        raise NotImplementedError("Write this part, then delete this line.")
