"""The computation graph of one forward pass: which tensor came from which, and through what all of them had to go."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import torch

from grader.checks.claims import Operation
from grader.checks.expect import EXACT, gap
from grader.checks.student import Remote

PRIME = (1 << 61) - 1


class Graph:
    """Operations by number; `start` is the input of the pass, `end` its result."""

    def __init__(self, operations: Sequence[Operation], end: int) -> None:
        self.operations, self.start, self.end = operations, 0, end

    @classmethod
    def of(cls, module: Remote, x: torch.Tensor) -> Graph | None:
        """The graph of `module(x)`; None when the result is no tensor that was seen being made."""
        end, operations = module.operations(x)
        return None if end is None or not operations else cls(operations, end)

    def value(self, number: int) -> torch.Tensor | None:
        """What came out, if it is known; with the axes of the input in its order, where sizes tell them apart."""
        result = self.operations[number].result
        if not isinstance(result, torch.Tensor):
            return None
        sizes = self.operations[self.start].result.shape
        if result.numel() == sizes.numel() and result.dim() == 2 and result.shape[-1] == sizes[-1]:
            return result.reshape(sizes)  # all tokens in one axis
        if result.shape == sizes or sorted(result.shape) != sorted(sizes) or len(set(sizes)) < len(sizes):
            return result
        return result.permute([result.shape.index(size) for size in sizes])

    def is_like(self, number: int, tensor: torch.Tensor) -> bool:
        """Whether the result is this tensor, number by number."""
        value = self.value(number)
        return value is not None and value.shape == tensor.shape and gap(value, tensor) <= EXACT

    def from_(self, begin: int) -> set[int]:
        """Everything that depends on `begin`, with it."""
        reached = {begin}
        for number in range(begin + 1, len(self.operations)):
            if reached.intersection(self.operations[number].inputs):
                reached.add(number)
        return reached

    def to(self, end: int) -> set[int]:
        """Everything that `end` depends on, with it."""
        found, open_ = set[int](), [end]
        while open_:
            number = open_.pop()
            if number not in found:
                found.add(number)
                open_ += self.operations[number].inputs
        return found

    def between(self, begin: int, end: int) -> list[int]:
        """What lies on the ways from one to the other, both with it, in order."""
        return sorted(self.from_(begin) & self.to(end))

    def gates(self, begin: int, end: int) -> list[int]:
        """What every way from `begin` to `end` goes through, without the two, in order.

        Ways are counted, modulo a prime: all of them go through a gate.
        """
        inside = self.between(begin, end)
        to, from_ = dict.fromkeys(inside, 0), dict.fromkeys(inside, 0)
        to[begin] = from_[end] = 1
        for number in inside[1:]:
            to[number] = sum(to.get(one, 0) for one in self.operations[number].inputs) % PRIME
        for number in reversed(inside):
            for one in self.operations[number].inputs:
                if one in from_:
                    from_[one] = (from_[one] + from_[number]) % PRIME
        return [number for number in inside[1:-1] if to[number] * from_[number] % PRIME == to[end]]

    @cached_property
    def dependent(self) -> set[int]:
        """Everything that depends on the input of the pass."""
        return self.from_(self.start)

    def sources(self, number: int) -> list[int]:
        """The inputs of an operation that depend on the input of the pass."""
        return [one for one in dict.fromkeys(self.operations[number].inputs) if one in self.dependent]

    def used(self, number: int) -> list[tuple[str, torch.Tensor]]:
        """The parameters that an operation uses, by name, each as the tensor that goes in (a part of it, perhaps)."""
        found = []
        for one in self.operations[number].inputs:
            value = self.value(one)
            if one not in self.dependent and value is not None:
                names = [operation.parameter for operation in map(self.operations.__getitem__, self.to(one))]
                found += [(name, value) for name in names if name is not None]
        return found
