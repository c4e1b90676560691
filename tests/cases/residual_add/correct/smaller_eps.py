"""LayerNorm with eps 1e-6, typed, with a docstring and a repr."""
from typing import Any, Callable

import torch
from torch import Tensor, nn


class ResidualAdd(nn.Module):
    """x + dropout(sublayer(norm(x)))"""

    def __init__(self, dim: int, sublayer: Callable[..., Tensor], dropout: float = 0.1) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(dim, eps=1e-6)
        self.sublayer = sublayer
        self.dropout = nn.Dropout(dropout)

    def extra_repr(self) -> str:
        return "pre-norm"

    def forward(self, x: Tensor, **kwargs: Any) -> Tensor:
        return x + self.dropout(self.sublayer(self.norm(x), **kwargs))
