"""Ways to build and call each exercise's class: sizes, rates, flags and number types that tell mutants apart."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

Arguments = tuple[tuple[Any, ...], dict[str, Any]]


class Scene(NamedTuple):
    """`build` makes the arguments of the class anew, by position and by name; the input has `shape`."""

    build: Callable[[], Arguments]
    shape: tuple[int, ...]
    called_with: Mapping[str, Any] = MappingProxyType({})
    dtype: torch.dtype = torch.float64


class Counting(nn.Module):
    """A sublayer with parameters, a keyword argument, and a memory of how it was called."""

    def __init__(self, dim: int, layers: tuple[nn.Module, nn.Module] | None = None) -> None:
        super().__init__()
        self.inner, self.outer = layers or (nn.Linear(dim, dim), nn.Linear(dim, dim))
        self.calls: list[tuple[int, tuple[str, ...]]] = []

    def forward(self, *args: Tensor, scale: float = 1.0, **others: Any) -> Tensor:
        """A map of the last axis, or what the layers make of it."""
        self.calls.append((len(args), tuple(others)))
        return scale * self.outer(torch.tanh(self.inner(args[0])))


def residual_add() -> Iterator[Scene]:
    """Widths, ranks and rates; a module, a function, keyword arguments, results that do not fit."""
    for dim, shape in ((8, (2, 5, 8)), (5, (7, 5)), (3, (2, 1, 4, 3))):
        for rates in ((), (0.0,), (0.2,), (0.7,)):
            yield Scene(partial(_residual, dim, *rates), shape)
    yield Scene(partial(_residual, 8), (2, 5, 8), called_with={"scale": 3.0})
    yield Scene(partial(_residual, 8, 0.3), (2, 5, 8), dtype=torch.float32)
    yield Scene(lambda: ((8, torch.tanh, 0.3), {}), (2, 5, 8))
    yield Scene(lambda: ((8,), {"dropout": 0.3, "sublayer": Counting(8)}), (2, 5, 8))
    for width in (6, 16):
        yield Scene(partial(_cut, width), (2, 5, 8))


def _residual(dim: int, *rates: float) -> Arguments:
    return (dim, Counting(dim), *rates), {}


def _cut(width: int) -> Arguments:
    return (8, lambda h: h.new_zeros(*h.shape[:-1], width), 0.0), {}


def deep_network() -> Iterator[Scene]:
    """Sizes that are equal, differ early, late or in between, with shortcuts on and off.

    Always six sizes: five layers written out, as in the lesson, are right.
    """
    lists = (
        [3, 3, 3, 3, 3, 1], [4] * 6, [4, 4, 3, 3, 1, 1], [2, 5, 5, 5, 2, 2], [3, 1, 3, 3, 1, 3], [2, 3, 4, 5, 6, 7],
    )  # fmt: skip
    for sizes, flag, rows in itertools.product(lists, (False, True), (1, 6)):
        yield Scene(partial(_network, sizes, flag), (rows, sizes[0]))
    yield Scene(lambda: (([3, 3, 1, 3, 3, 3],), {"use_shortcut": True}), (4, 3), dtype=torch.float32)


def _network(sizes: list[int], flag: bool) -> Arguments:
    return (list(sizes), flag), {}


def transformer_block() -> Iterator[Scene]:
    """Widths, heads, lengths, rates and biases; as many tokens as the context allows."""
    for values, shape, dtype in (
        ((12, 9, 3, 0.0, True), (2, 4, 12), torch.float64),
        ((12, 4, 1, 0.2, False), (3, 4, 12), torch.float64),
        ((8, 30, 2, 0.7, True), (1, 30, 8), torch.float64),
        ((16, 5, 4, 0.1, False), (4, 1, 16), torch.float64),
        ((6, 7, 2, 0.3, True), (7, 7, 6), torch.float64),
        ((12, 9, 3, 0.3, False), (2, 4, 12), torch.float32),
    ):
        yield Scene(partial(_block, *values), shape, dtype=dtype)


def _block(*values: object) -> Arguments:
    keys = ("emb_dim", "context_length", "n_heads", "drop_rate", "qkv_bias")
    return (dict(zip(keys, values, strict=True)),), {}


def post_norm_block() -> Iterator[Scene]:
    """Widths, ranks and rates; a module or a function."""
    for dim, shape in ((8, (2, 5, 8)), (5, (7, 5)), (3, (2, 1, 4, 3))):
        for rates in ((), (0.0,), (0.2,), (0.7,)):
            yield Scene(partial(_residual, dim, *rates), shape)
    yield Scene(partial(_residual, 8, 0.3), (2, 5, 8), dtype=torch.float32)
    yield Scene(lambda: ((8, torch.tanh, 0.3), {}), (2, 5, 8))


def vit_encoder_block() -> Iterator[Scene]:
    """Widths, heads and rates; one patch and several."""
    for values, shape, dtype in (
        ((12, 3, 0.0), (2, 4, 12), torch.float64),
        ((12, 1, 0.2), (3, 4, 12), torch.float64),
        ((8, 2, 0.7), (1, 30, 8), torch.float64),
        ((16, 4, 0.1), (4, 1, 16), torch.float64),
        ((12, 3, 0.3), (2, 4, 12), torch.float32),
    ):
        yield Scene(partial(_arguments, *values), shape, dtype=dtype)


def _arguments(*values: Any) -> Arguments:
    return values, {}


def projection_shortcut() -> Iterator[Scene]:
    """Shapes that are kept, other channels, a stride, both; sizes that the stride does not divide."""
    for given, made, stride in ((4, 4, 1), (4, 6, 1), (4, 4, 2), (3, 5, 2), (6, 2, 3)):
        yield Scene(partial(_projected, given, made, stride), (2, given, 5, 6))
    yield Scene(partial(_projected, 4, 6, 2), (2, 4, 5, 6), dtype=torch.float32)
    yield Scene(lambda: ((4, 4, 1, torch.tanh), {}), (2, 4, 5, 6))


def _projected(given: int, made: int, stride: int) -> Arguments:
    layers = nn.Conv2d(given, made, 3, stride, padding=1), nn.Conv2d(made, made, 1)
    return (given, made, stride, Counting(made, layers)), {}


def highway_layer() -> Iterator[Scene]:
    """Widths, ranks and number types."""
    for dim, shape in ((8, (2, 5, 8)), (5, (7, 5)), (1, (3, 1)), (3, (2, 1, 4, 3))):
        yield Scene(partial(_arguments, dim), shape)
    yield Scene(partial(_arguments, 8), (2, 5, 8), dtype=torch.float32)


SCENES: dict[str, Callable[[], Iterator[Scene]]] = {
    "residual_add": residual_add,
    "deep_network": deep_network,
    "transformer_block": transformer_block,
    "post_norm_block": post_norm_block,
    "vit_encoder_block": vit_encoder_block,
    "projection_shortcut": projection_shortcut,
    "highway_layer": highway_layer,
}
