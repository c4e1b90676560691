"""Plain functions become modules."""
from __future__ import annotations

from typing import Any, Callable

from torch import Tensor, nn


class Lambda(nn.Module):
    def __init__(self, fn: Callable[..., Tensor]) -> None:
        super().__init__()
        self.fn = fn

    def forward(self, *args: Any, **kwargs: Any) -> Tensor:
        return self.fn(*args, **kwargs)


class ResidualAdd(nn.Module):
    """Pre-norm residual."""

    norm: nn.LayerNorm
    sublayer: nn.Module

    def __init__(self, dim: int, sublayer: Callable[..., Tensor], dropout: float = 0.1) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.sublayer = sublayer if isinstance(sublayer, nn.Module) else Lambda(sublayer)
        self.dropout = nn.Dropout(dropout) if dropout > 0 else nn.Identity()

    def forward(self, x: Tensor, **kwargs: Any) -> Tensor:
        branch = self.dropout(self.sublayer(self.norm(x), **kwargs))
        if branch.shape != x.shape:
            raise ValueError(f"shapes differ: {tuple(branch.shape)} and {tuple(x.shape)}")
        return x + branch
