"""Sublayers whose work is done by the judge."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import torch
from torch import nn

Ask: TypeAlias = Callable[[int, list[Any], dict[str, Any]], tuple[Any, int]]
AskBackward: TypeAlias = Callable[[int, torch.Tensor], list[Any]]


class ProbeModule(nn.Module):
    """A sublayer whose work is done by the judge: forwards its calls, and their gradients, over the channel."""

    def __init__(self, probe: int, ask: Ask, ask_backward: AskBackward) -> None:
        super().__init__()
        self._probe, self._ask, self._ask_backward = probe, ask, ask_backward

    def __deepcopy__(self, memo: dict[int, Any]) -> ProbeModule:
        """A copy of a sublayer computes what the sublayer does."""
        return ProbeModule(self._probe, self._ask, self._ask_backward)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Any arguments; gradients flow to positional tensors."""
        positions = [i for i, value in enumerate(args) if isinstance(value, torch.Tensor)]
        tensors = [args[i] for i in positions]
        return _ProbeFunction.apply(self, list(args), positions, kwargs, *tensors)  # type: ignore[no-untyped-call]


class _ProbeFunction(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, module: ProbeModule, args: list[Any], positions: list[int], kwargs: dict[str, Any], *tensors: Any
    ) -> Any:
        for position, tensor in zip(positions, tensors, strict=True):
            args[position] = tensor
        value, ctx.call = module._ask(module._probe, args, kwargs)
        ctx.ask_backward = module._ask_backward
        return value

    @staticmethod
    def backward(ctx: Any, *cotangents: Any) -> Any:
        gradients = ctx.ask_backward(ctx.call, cotangents[0])
        return (None, None, None, None, *gradients)
