"""Who called whom inside one forward pass, and which parameters a result depends on.

Both look at what really happens, not at names: module calls are seen through `__call__` and through a direct
`.forward(...)`, registered or not; dependence is read from the autograd graph.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import nn

from .values import is_tensor

MAX_EVENTS = 500


@dataclass
class Event:
    """One module call. `first` and `result` are copies made at the time of the call."""

    module: nn.Module
    depth: int
    inputs: int
    first: object
    result: object = None


@dataclass
class _Recording:
    """The calls that were seen, and the modules whose calls have not ended."""

    events: list[Event] = field(default_factory=list)
    stack: list[nn.Module] = field(default_factory=list)


_open: list[_Recording] = []
_wrapped: dict[int, tuple[Callable[..., Any], Callable[..., Any]]] = {}  # by the original's id, which is kept alive


@contextmanager
def recording() -> Iterator[list[Event]]:
    """Record every module call of this process while the block runs."""
    originals = [(cls, cls.__dict__["forward"]) for cls in _module_classes() if "forward" in cls.__dict__]
    for cls, original in originals:
        if callable(original):
            cls.forward = _recorded(original)
    _open.append(_Recording())
    try:
        yield _open[-1].events
    finally:
        _open.pop()
        for cls, original in originals:
            cls.forward = original


def _recorded(original: Callable[..., Any]) -> Callable[..., Any]:
    """The function that records; it is made once for each class."""
    if id(original) in _wrapped:
        return _wrapped[id(original)][1]

    @functools.wraps(original)
    def forward(self: nn.Module, *args: Any, **kwargs: Any) -> Any:
        now = _open[-1] if _open else None
        if now is None or (now.stack and now.stack[-1] is self) or len(now.events) >= MAX_EVENTS:
            return original(self, *args, **kwargs)  # super().forward() is the same call
        inputs = [value for value in (*args, *kwargs.values()) if isinstance(value, torch.Tensor)]
        event = Event(self, len(now.stack), len(inputs), _copy(inputs[0] if inputs else None))
        now.events.append(event)
        now.stack.append(self)
        try:
            result = original(self, *args, **kwargs)
        finally:
            now.stack.pop()
        event.result = _copy(result)
        return result

    _wrapped[id(original)] = original, forward
    return forward


def _copy(value: object) -> object:
    with torch._C.DisableTorchFunction():  # who counts the calls of torch counts those of the module only
        return value.detach().clone() if isinstance(value, torch.Tensor) else value


def _module_classes() -> list[type[nn.Module]]:
    found: dict[type[nn.Module], None] = {}
    stack = list(nn.Module.__subclasses__())
    while stack:
        cls = stack.pop()
        if cls not in found:
            found[cls] = None
            stack += cls.__subclasses__()
    return list(found)


def graph_leaves(result: object) -> list[torch.Tensor]:
    """The leaf tensors that the autograd graph of `result` (a tensor, or a list or tuple of them) reaches."""
    results = result if isinstance(result, list | tuple) else [result]
    tensors = [t for t in results if is_tensor(t)]
    stack = [t.grad_fn for t in tensors]
    leaves = [t for t in tensors if t.requires_grad and t.grad_fn is None]
    seen = set()
    while stack:
        node = stack.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        if (leaf := getattr(node, "variable", None)) is not None:
            leaves.append(leaf)
        stack += [following for following, _ in node.next_functions]
    return leaves
