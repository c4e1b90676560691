"""The same block with its residuals removed, from outside: each sum on the residual stream leaves the shortcut out.

Calls of torch that give a tensor are counted, as `operations` lists them. Where a sum is finished, what was added to
the branch is subtracted again, so it does not matter how the sum was made (`x + f`, `x += f`, `torch.add`, …). No
gradient goes through the shortcut either: what the sum lets through, the difference takes away.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import nn
from torch.overrides import TorchFunctionMode

from . import messages as m

CHANGED = "the forward pass takes other steps than the first time"


class Removed(nn.Module):
    """Calls a block and removes its residuals; raises RuntimeError where the steps are not those that were seen."""

    def __init__(self, block: nn.Module, sums: Sequence[m.Sum]) -> None:
        super().__init__()
        self.block, self._sums = block, sums

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """What the block returns, with the residuals removed."""
        with _Removing(self._sums, next(one for one in (*args, *kwargs.values()) if torch.is_tensor(one))) as removing:
            result = self.block(*args, **kwargs)
        if removing.left:
            raise RuntimeError(CHANGED)
        return result


class _Removing(TorchFunctionMode):
    """Watches one forward pass of a block for the sums, and changes them."""

    def __init__(self, sums: Sequence[m.Sum], x: torch.Tensor) -> None:
        super().__init__()
        self.left = {one.call: one for one in sums}
        self._bases = {one.base for one in sums}
        self._kept: dict[int | None, torch.Tensor] = {None: x.clone()}  # copies: a block may change them in place
        self._calls = 0

    def __torch_function__(
        self, func: Callable[..., Any], types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Make the call; if it is one of the sums, without what was added to."""
        result = func(*args, **(kwargs or {}))
        made = [one for one in (result if isinstance(result, tuple | list) else [result]) if torch.is_tensor(one)]
        for at, one in enumerate(made, self._calls):
            if (found := self.left.pop(at, None)) is not None:
                base = self._kept.get(found.base)
                if base is None or getattr(func, "__name__", "")[:80] != found.name or base.shape != one.shape:
                    raise RuntimeError(CHANGED)
                in_place = any(one is given for given in args)
                result = one = one.sub_(base) if in_place else one - base  # noqa: PLW2901 - the result from here on
            if at in self._bases:
                self._kept[at] = one.clone()
        self._calls += len(made)
        return result
