"""Exercise: a transformer block as in GPT-2.

Fill in the class below. Its docstring is the task; the parts it is built from are in `previous_chapters.py`.
"""

import torch
from previous_chapters import FeedForward, LayerNorm, MultiHeadAttention
from torch import nn


class TransformerBlock(nn.Module):
    """Attention, then feed forward, each inside its own residual connection (pre-norm, as in GPT-2).

    With A for the causal multi-head attention and F for the feed forward, build

        h = x + Dropout(A(Norm1(x)))
        y = h + Dropout(F(Norm2(h)))

    Steps:

    1. First half: normalise `x`, attend, apply dropout, add `x` as it was before the norm.
    2. Second half: normalise `h` (the result of the first half, not `x`), run the feed forward, apply dropout, add
       `h` as it was before the norm.
    3. Return `y`.

    Parts:

    - Norm1 and Norm2 are two separate `LayerNorm`s over emb_dim, each with its own trainable scale and shift. Each
      comes before its sublayer (pre-norm); nothing is normalised after a sum.
    - A is a `MultiHeadAttention` from emb_dim to emb_dim that is causal (no token sees a later one) and follows
      `context_length`, `n_heads` and `qkv_bias`. It also takes a dropout for its weights; `drop_rate` is usual there.
    - F is a `FeedForward`: four times as wide inside, with a `GELU` between its two linear layers.
    - Dropout has the rate `drop_rate`, acts on the result of A and on the result of F, before each sum, never on the
      shortcut. In eval mode it does nothing.

    `cfg` is a dict. GPT-2 small has

        {"emb_dim": 768, "context_length": 1024, "n_heads": 12, "drop_rate": 0.1, "qkv_bias": False}

    Rules:

    - Every key has an effect: no size is written into the code.
    - Make all layers in `__init__`, none in `forward`. All parameters must show up in `block.parameters()`, and all
      paths must let gradients through.
    - Leave the initial weights as the parts draw them.
    - In each sum both parts count in full: no other factors, no activation.
    - Shapes must match, never broadcast: do not shorten or average a tensor so that broadcasting fills the gap.
    - Do not change `x` in place: the caller still needs it.
    - Return one tensor. Keep the dtype and device of `x`, and do not touch seeds or other global settings.

    Shape:
        - input `x`: (batch, tokens, emb_dim), tokens at most context_length
        - output: the same shape as `x`

    Example:
        >>> import torch
        >>> cfg = {"emb_dim": 32, "context_length": 16, "n_heads": 4, "drop_rate": 0.1, "qkv_bias": False}
        >>> block = TransformerBlock(cfg).eval()
        >>> x = torch.randn(2, 6, 32)
        >>> print(block(x).shape)
        torch.Size([2, 6, 32])
        >>> print(sum(p.numel() for p in block.parameters()))
        12608
    """

    def __init__(self, cfg: dict) -> None:
        super().__init__()
        # Make the attention, the feed forward, two norms and the dropout.
        self.att = MultiHeadAttention(
            d_in=cfg["emb_dim"],
            d_out=cfg["emb_dim"],
            context_length=cfg["context_length"],
            num_heads=cfg["n_heads"],
            dropout=cfg["drop_rate"],
            qkv_bias=cfg["qkv_bias"],
        )
        self.ff = FeedForward(cfg)
        self.norm1 = LayerNorm(cfg["emb_dim"])
        self.norm2 = LayerNorm(cfg["emb_dim"])
        self.dropout = nn.Dropout(cfg["drop_rate"])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Apply both halves to `x` (batch, tokens, emb_dim)."""
        # Two halves, each with its own shortcut.
        shortcut = x
        x = self.norm1(x)
        x = self.att(x)
        x = self.dropout(x)
        x = x + shortcut

        x = self.norm2(x)
        x = self.ff(x)
        x = self.dropout(x)
        return x + shortcut
