"""What one forward pass computes, operation by operation, and from what: every call of torch that gives a tensor.

Calls are seen as torch itself sees them, whoever makes them (a module, a function, an operator on tensors). A tensor
that is changed in place counts as a new one from then on. Nothing is refused and nothing is changed. `Spots` says which
expression of the student's source made a call.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

Spot = tuple[str, int | None, int, int, int, int]
MAX_OPERATIONS = 2000
MAX_NUMBERS = 2 << 20  # in all results together; later ones are listed without their numbers


@dataclass
class Operation:
    """A result, the numbers of the operations it was made from, and a copy of it as it was at that time.

    `spots` are the expressions it was called from, in the outermost and the innermost function of the student: file,
    cell, first line, last line, first and last column (in bytes of UTF-8).

    The input of the pass and everything that was there before it count as operations without inputs: `name` is "input",
    "parameter" or "given", and `parameter` the name of a parameter.
    """

    name: str
    inputs: list[int]
    result: torch.Tensor | None
    tracked: bool
    parameter: str | None = None
    spots: tuple[Spot, ...] = ()


class Spots:
    """Finds the expressions that are being evaluated in functions of the student; `origins` are their files' names."""

    def __init__(self, origins: Mapping[str, tuple[str, int | None]]) -> None:
        self._origins = origins
        self._known: dict[CodeType, list[tuple[int | None, int | None, int | None, int | None]]] = {}

    def __call__(self) -> tuple[Spot, ...]:
        """The outermost and the innermost one, or none."""
        frame: FrameType | None = sys._getframe(1)
        found: list[FrameType] = []
        while frame is not None:
            if frame.f_code.co_filename in self._origins:
                found.append(frame)
            frame = frame.f_back
        return tuple(self._spot(one) for one in (found[-1], found[0])) if found else ()

    def _spot(self, frame: FrameType) -> Spot:
        code = frame.f_code
        if code not in self._known:
            self._known[code] = list(code.co_positions())
        first, last, start, end = self._known[code][frame.f_lasti // 2]
        return (*self._origins[code.co_filename], first or 0, last or 0, start or 0, end or 0)


class Recorder(TorchFunctionMode):
    """Records the calls while it is entered; `parameters` are the names of known tensors by `id`."""

    def __init__(
        self,
        inputs: Iterable[torch.Tensor],
        parameters: Mapping[int, str],
        spots: Callable[[], tuple[Spot, ...]] = tuple,
    ) -> None:
        super().__init__()
        self._spots = spots
        self.operations: list[Operation] = []
        self._parameters = parameters
        self._numbers: dict[int, int] = {}
        self._kept: list[torch.Tensor] = []  # so that no id is used twice
        self._room = MAX_NUMBERS
        for tensor in inputs:
            self._add("input", [], tensor)

    def __torch_function__(
        self, func: Callable[..., Any], types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Make the call and note what came out."""
        result = func(*args, **(kwargs or {}))
        if len(self.operations) < MAX_OPERATIONS:
            made = [one for one in (result if isinstance(result, tuple | list) else [result]) if _is_tensor(one)]
            if made:
                inputs = [self.number(tensor) for tensor in _tensors((args, kwargs or {}))]
                for tensor in made:
                    self._add(getattr(func, "__name__", "")[:80], inputs, tensor)
        return result

    def number(self, tensor: torch.Tensor) -> int:
        """The operation that gave this tensor; one that was there before is added now."""
        if id(tensor) not in self._numbers:
            known = self._parameters.get(id(tensor))
            self._add("given" if known is None else "parameter", [], tensor, known)
        return self._numbers[id(tensor)]

    def _add(self, name: str, inputs: list[int], tensor: torch.Tensor, parameter: str | None = None) -> None:
        with torch._C.DisableTorchFunction():
            self._room -= tensor.numel()
            copy = tensor.detach().clone() if self._room >= 0 and tensor.is_floating_point() else None
            self._numbers[id(tensor)] = len(self.operations)
            self._kept.append(tensor)
            self.operations.append(Operation(name, inputs, copy, tensor.requires_grad, parameter, self._spots()))


def _is_tensor(value: object) -> bool:
    return isinstance(value, torch.Tensor)


def _tensors(value: object) -> Iterator[torch.Tensor]:
    """All tensors in nested arguments."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, tuple | list):
        for one in value:
            yield from _tensors(one)
    elif isinstance(value, dict):
        for one in value.values():
            yield from _tensors(one)
