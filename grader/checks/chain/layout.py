"""Which parameter of a network is the weight or the bias of which layer, as far as shapes tell."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeAlias

import torch

Tensor = torch.Tensor
Shape: TypeAlias = tuple[int, ...]
Layers: TypeAlias = list[tuple[Tensor, Tensor]]


class Places(Protocol):
    """Where the weights and biases of the layers are among the values of `parameters()`."""

    def layers(self, values: Sequence[Tensor], sizes: Sequence[int]) -> Layers | None:
        """(weight (out, in), bias (out,)) of each layer; None where the values cannot hold them."""
        ...

    def pieces(self, values: Sequence[Tensor], sizes: Sequence[int]) -> Layers | None:
        """As `layers`, of gradients: the parts that lie where weights and biases do."""
        ...

    def with_layer(self, values: Sequence[Tensor], number: int, weight: Tensor, bias: Tensor) -> list[Tensor]:
        """The values with another weight and bias of one layer."""
        ...


@dataclass(frozen=True)
class Layout:
    """Which parameter, by its position in `parameters()`, is the weight (or its transpose) or the bias of a layer.

    `others` are the shapes of parameters that no layer needs. With `lengths`, a weight is a direction, and another
    parameter holds the length of each row (weight normalisation). `plain`: see `are_plain`.
    """

    weights: dict[int, tuple[int, bool]]
    biases: dict[int, int]
    others: tuple[Shape, ...] = ()
    lengths: dict[int, int] = field(default_factory=dict)
    plain: bool = False

    def layers(self, values: Sequence[Tensor], sizes: Sequence[int]) -> Layers | None:
        """As Places; a missing bias counts as zeros."""
        found = []
        for number, (n_in, n_out) in enumerate(itertools.pairwise(sizes)):
            at, turned = self.weights.get(number, (len(values), False))
            place = self.biases.get(number)
            if at >= len(values) or (place is not None and place >= len(values)):
                return None
            wanted = (n_in, n_out) if turned else (n_out, n_in)
            if _slim(values[at].shape) != _slim(wanted):
                return None
            weight = values[at].reshape(wanted)
            weight = weight.T if turned else weight
            bias = weight.new_zeros(n_out) if place is None else values[place]
            if bias.numel() != n_out:
                return None
            if self.lengths:
                length = values[self.lengths[number]]
                if length.numel() != n_out:
                    return None
                weight = length.reshape(n_out, 1) * weight / weight.norm(dim=1, keepdim=True)
            found.append((weight, bias.reshape(n_out)))
        return found

    def pieces(self, values: Sequence[Tensor], sizes: Sequence[int]) -> Layers | None:
        """As Places."""
        return replace(self, lengths={}).layers(values, sizes)

    def with_layer(self, values: Sequence[Tensor], number: int, weight: Tensor, bias: Tensor) -> list[Tensor]:
        """As Places; a bias that is not there stays away."""
        made = list(values)
        at, turned = self.weights[number]
        made[at] = (weight.T if turned else weight).reshape(made[at].shape)
        if (place := self.biases.get(number)) is not None:
            made[place] = bias.reshape(made[place].shape)
        return made

    def variants(self, values: Sequence[Tensor], sizes: Sequence[int]) -> Iterator[Layout]:
        """This layout, then every other one that the shapes allow, for code that makes its layers in another order.

        The first weight belongs to the first bias, the second to the second, and so on. Layers that come from first to
        last where all sizes differ do so everywhere: then there is no other layout.
        """
        if self.layers(values, sizes) is not None:
            yield self
            if [at for _, (at, _) in sorted(self.weights.items())] == sorted(at for at, _ in self.weights.values()):
                return
        turned = all(flag for _, flag in self.weights.values())
        weights = [at for at, value in enumerate(values) if value.dim() == 2]
        biases = [at for at, value in enumerate(values) if value.dim() == 1]
        count = len(sizes) - 1
        if len(weights) != count or len(biases) not in (0, count):
            return
        wanted = [(b, a) for a, b in itertools.pairwise(sizes)]
        have = [tuple(values[at].T.shape if turned else values[at].shape) for at in weights]
        for order in itertools.permutations(range(count)):
            if [have[rank] for rank in order] == wanted:
                places = {n: biases[rank] for n, rank in enumerate(order)} if biases else {}
                yield Layout({n: (weights[rank], turned) for n, rank in enumerate(order)}, places)


def layout_of(shapes: Sequence[Shape], sizes: Sequence[int]) -> Layout:
    """The layout of a network whose `sizes` all differ (and exceed 1), so that a shape belongs to one layer only."""
    weights: dict[int, tuple[int, bool]] = {}
    biases: dict[int, int] = {}
    others = []
    pairs = list(enumerate(itertools.pairwise(sizes)))
    # Plain vectors first: a column beside one is the scale of something else.
    for at in sorted(range(len(shapes)), key=lambda at: len(shapes[at]) == 2 and 1 in shapes[at]):
        shape = _slim(shapes[at])
        matrix = next((n for n, (a, b) in pairs if shape in ((b, a), (a, b)) and n not in weights), None)
        vector = next((n for n, (_, b) in pairs if shape == (b,) and n not in biases), None)
        if matrix is not None:
            weights[matrix] = (at, shape == sizes[matrix : matrix + 2])
        elif vector is not None:
            biases[vector] = at
        else:
            others.append(at)
    rest = tuple(shapes[at] for at in sorted(others))
    return Layout(weights, biases, rest, _lengths(others, shapes, pairs), are_plain(shapes))


def _lengths(others: list[int], shapes: Sequence[Shape], pairs: list[tuple[int, tuple[int, int]]]) -> dict[int, int]:
    """The columns that may be the lengths of rows: one for each layer, and nothing else that no layer needs."""
    columns = {number: [at for at in others if shapes[at] == (n_out, 1)] for number, (_, n_out) in pairs}
    if len(others) != len(pairs) or any(len(found) != 1 for found in columns.values()):
        return {}
    return {number: found[0] for number, found in columns.items()}


def _slim(shape: Sequence[int]) -> Shape:
    """Without axes of length 1, as a Conv1d or a bias of shape (1, n) has them."""
    return tuple(length for length in shape if length != 1)


def are_plain(shapes: Sequence[Shape]) -> bool:
    """Whether these are matrices, and biases for some of them, as ordinary linear layers have: shapes say it all."""
    rows = Counter(shape[0] for shape in shapes if len(shape) == 2)
    rest = [shape for shape in shapes if len(shape) != 2]
    return bool(rows) and all(len(shape) == 1 for shape in rest) and Counter(math.prod(s) for s in rest) <= rows
