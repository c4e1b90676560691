"""Building blocks from the earlier chapters: attention, feed forward, layer norm and GELU.

Import from here what the exercises ask for. There is no need to change this file: grading uses its own copy.
All shapes are written (batch, tokens, emb_dim); `tokens` may be anything up to `context_length`.
"""

import math

import torch
from torch import Tensor, nn


class MultiHeadAttention(nn.Module):
    """Causal self-attention with several heads: a token sees itself and the tokens before it.

    `d_in`, `d_out` and `context_length` may be given by position; `num_heads`, `dropout` and `qkv_bias` must be named,
    because published versions of this class disagree on their order.

    Args:
        d_in: width of the input.
        d_out: width of the output; a multiple of `num_heads`.
        context_length: the longest sequence that the causal mask allows.
        num_heads: number of heads; each is `d_out // num_heads` wide.
        dropout: rate of the dropout on the attention weights.
        qkv_bias: whether the projections to queries, keys and values have a bias.

    Shape:
        input (batch, tokens, d_in), output (batch, tokens, d_out)
    """

    def __init__(  # noqa: PLR0913 - the arguments are those of the lesson
        self,
        d_in: int,
        d_out: int,
        context_length: int,
        *,
        num_heads: int,
        dropout: float,
        qkv_bias: bool = False,
    ) -> None:
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError(f"d_out ({d_out}) must be a multiple of num_heads ({num_heads})")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.weight_dropout = nn.Dropout(dropout)
        # True above the diagonal: the places that a token must not see.
        self.register_buffer("mask", torch.ones(context_length, context_length, dtype=torch.bool).triu(diagonal=1))

    def _split(self, projected: Tensor) -> Tensor:
        """(batch, tokens, d_out) to (batch, num_heads, tokens, head width)."""
        return projected.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)

    def forward(self, x: Tensor) -> Tensor:
        """Attend, then mix the heads with one last linear layer."""
        tokens = x.shape[1]
        queries, keys, values = self._split(self.W_query(x)), self._split(self.W_key(x)), self._split(self.W_value(x))
        scores = queries @ keys.transpose(-2, -1) / math.sqrt(queries.shape[-1])
        scores = scores.masked_fill(self.mask[:tokens, :tokens], -torch.inf)
        weights = self.weight_dropout(scores.softmax(dim=-1))
        return self.out_proj((weights @ values).transpose(1, 2).flatten(start_dim=2))


class LayerNorm(nn.Module):
    """Brings every row to mean 0 and variance 1, then applies a trainable `scale` and `shift`.

    The variance is the biased one (divided by n, not n - 1); `eps` keeps rows of equal numbers away from 0 / 0.

    Shape:
        input and output (..., emb_dim)
    """

    def __init__(self, emb_dim: int) -> None:
        super().__init__()
        self.eps = 1e-5
        self.scale = nn.Parameter(torch.ones(emb_dim))
        self.shift = nn.Parameter(torch.zeros(emb_dim))

    def forward(self, x: Tensor) -> Tensor:
        """Normalise over the last dimension."""
        mean = x.mean(dim=-1, keepdim=True)
        var = x.var(dim=-1, keepdim=True, unbiased=False)
        return self.scale * (x - mean) / torch.sqrt(var + self.eps) + self.shift


class GELU(nn.Module):
    """GELU in the tanh form that GPT-2 uses: 0.5·x·(1 + tanh(√(2/π)·(x + 0.044715·x³))).

    Shape:
        input and output (...), element by element
    """

    def forward(self, x: Tensor) -> Tensor:
        """Apply the formula to each element."""
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


class FeedForward(nn.Module):
    """Two linear layers with a GELU between them; the hidden layer is four times as wide as the input.

    Only `cfg["emb_dim"]` is read.

    Shape:
        input and output (..., emb_dim)
    """

    def __init__(self, cfg: dict) -> None:
        super().__init__()
        emb_dim = cfg["emb_dim"]
        self.layers = nn.Sequential(nn.Linear(emb_dim, 4 * emb_dim), GELU(), nn.Linear(4 * emb_dim, emb_dim))

    def forward(self, x: Tensor) -> Tensor:
        """Widen, apply GELU, narrow."""
        return self.layers(x)
