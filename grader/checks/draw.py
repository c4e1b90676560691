"""Random inputs and parameters, the same for a submission every time and unknown to everybody else."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable

import torch

from grader.checks.student import Remote


def seed_for(course_seed: str, *purpose: str) -> int:
    """63 bits from the course's private seed and what they are for (digest, exercise, check), by HMAC-SHA256."""
    digest = hmac.new(course_seed.encode(), "\0".join(purpose).encode(), hashlib.sha256).digest()
    return int.from_bytes(digest[:8], "big") >> 1


class Draw:
    """A source of random tensors (float64) for one check."""

    def __init__(self, seed: int) -> None:
        self._generator = torch.Generator().manual_seed(seed)

    def normal(self, *shape: int) -> torch.Tensor:
        """Standard normal."""
        return torch.randn(shape, generator=self._generator, dtype=torch.float64)

    def input(self, *shape: int) -> torch.Tensor:
        """An input whose rows have a mean away from 0 and a variance of 1 to 2: nothing that a norm could hide."""
        return 1.2 * self.normal(*shape) + 0.5

    def map(self, dim: int) -> Callable[..., torch.Tensor]:
        """A row-wise, non-linear map (…, dim) → (…, dim) that ends in a linear layer; keyword `scale` multiplies it."""
        first, second = self.normal(dim, dim) / dim**0.5, self.normal(dim, dim) / dim**0.5
        shift, offset = self.normal(dim), 0.5 * self.normal(dim)

        def function(h: torch.Tensor, scale: float = 1.0) -> torch.Tensor:
            value: torch.Tensor = torch.tanh(h @ first + shift) @ second + offset
            return value * scale

        return function

    def parameters(self, module: Remote, size: float = 1.0) -> dict[str, torch.Tensor]:
        """Randomise every parameter over there (see `moved`) and return them."""
        made = {name: self.moved(value, size) for name, value in module.parameters().items()}
        module.assign(made)
        return made

    def moved(self, value: torch.Tensor, size: float = 1.0) -> torch.Tensor:
        """A random parameter in place of this one.

        Vectors move by about a half from where they were, so that a norm's weight and bias stay what they are and no
        two norms are alike; matrices are drawn anew with `size` / √fan_in.
        """
        noise = self.normal(*value.shape)
        return size * noise / value.shape[-1] ** 0.5 if value.dim() > 1 else value + 0.5 * noise
