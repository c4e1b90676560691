"""A block's forward pass taken apart by its module calls: who mixes tokens, who works on each token alone.

Nothing rests on names. A module call is a norm if its result is a norm of its input, the attention if a change in one
token changes others, the feed forward if not. Layers called one by one in `forward` are put together to a sublayer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Literal, NamedTuple

import torch

from grader.checks.expect import EXACT, gap
from grader.checks.residual.combine import as_activation, as_norm
from grader.checks.residual.half import SublayerCall
from grader.checks.student import ModuleCall, Remote
from grader.sandbox.session import StudentRaised


@dataclass(frozen=True)
class Sublayer:
    """An attention ("A") or feed forward ("F") in one forward pass.

    `parts` are the module calls it consists of, none where it was found in the graph of operations; `inside` is what
    was computed on the way, as far as it was seen.
    """

    kind: Literal["A", "F"]
    input: torch.Tensor
    output: torch.Tensor
    at: int
    parts: tuple[ModuleCall, ...] = ()
    inside: tuple[torch.Tensor, ...] = ()

    def last_layer(self, parameters: dict[str, torch.Tensor]) -> tuple[str, str] | None:
        """Names of weight and bias of its last linear layer, None where it has no such layer with a bias."""
        called = [f"{part.name}." for part in reversed(self.parts) if part.name and part.kind.endswith("Linear")]
        inside = [name.removesuffix("out_proj.weight") for name in parameters if name.endswith("out_proj.weight")]
        within = [
            f"{prefix}out_proj." for prefix in inside if self.parts and prefix.startswith(f"{self.parts[0].name}.")
        ]
        for layer in (*called[:1], *within):
            if {f"{layer}weight", f"{layer}bias"} <= parameters.keys():
                return f"{layer}weight", f"{layer}bias"
        return None


class Part(NamedTuple):
    """A norm ("N") or a sublayer of a forward pass: its first and last module call, and all calls that belong to it."""

    kind: Literal["N", "A", "F"]
    first: int
    last: int
    calls: tuple[int, ...]


@dataclass(frozen=True)
class Plan:
    """What the module calls of a forward pass are parts of, for other passes that make the same calls."""

    calls: tuple[tuple[str | None, str, int], ...]
    parts: tuple[Part, ...]

    def fits(self, calls: Sequence[ModuleCall], x: torch.Tensor) -> bool:
        """Whether these are the same calls, and the parts work on tokens here, too."""
        same = self.calls == _names(calls)
        return same and all(_works_on_tokens(calls[n], x) for part in self.parts for n in {part.first, part.last})


@dataclass
class Anatomy:
    """One forward pass taken apart: norms and sublayers in the order of their calls, and the result.

    `plan` is what its calls are parts of; none where it was not read from module calls.
    """

    x: torch.Tensor
    result: object
    norms: list[tuple[int, SublayerCall]] = field(default_factory=list)
    sublayers: list[Sublayer] = field(default_factory=list)
    plan: Plan | None = None

    @property
    def order(self) -> str:
        """The kinds of the sublayers, "AF" for a block as asked for."""
        return "".join(sublayer.kind for sublayer in self.sublayers)


def anatomy(block: Remote, x: torch.Tensor, plan: Plan | None = None) -> Anatomy:
    """Watch `block(x)` run in evaluation mode; `x` has at least three tokens.

    `plan` is that of another block of the same class, which spares looking at each call where this one makes the same.
    """
    result, calls = block.trace(x)
    if plan is None or not plan.fits(calls, x):
        plan = Plan(_names(calls), tuple(_parts(calls, x)))
    found = Anatomy(x, result, plan=plan)
    for kind, first, last, numbers in plan.parts:
        given, made = calls[first].input, tensor_of(calls[last].result)
        if kind == "N":
            found.norms.append((first, SublayerCall(given, made)))
        else:
            parts = tuple(calls[number] for number in numbers)
            found.sublayers.append(Sublayer(kind, given, made, first, parts, _tensors(parts)))
    return found


def _names(calls: Sequence[ModuleCall]) -> tuple[tuple[str | None, str, int], ...]:
    return tuple((call.name, call.kind, call.depth) for call in calls)


def _parts(calls: Sequence[ModuleCall], x: torch.Tensor) -> Iterator[Part]:
    """Norms, and sublayers: modules, or layers called one by one."""
    loose: list[int] = []
    for at, end, normalises in _outermost(calls, x):
        call, single = calls[at], not normalises and end == at + 1
        follows = bool(loose) and gap(call.input, tensor_of(calls[loose[-1]].result)) <= EXACT
        passes = single and not follows and _is_pointwise(call)
        if single and not passes and (loose or call.kind.endswith("Linear") or call.input.shape != x.shape):
            loose.append(at)
            continue
        yield from _put_together(calls, loose, x)
        if normalises:
            yield Part("N", at, at, (at,))
        elif not passes:  # an activation or a dropout of a sum, or of a sublayer's result, is no part
            yield Part(_kind(call, x), at, at, tuple(range(at, end)))
    yield from _put_together(calls, loose, x)


def _outermost(calls: Sequence[ModuleCall], x: torch.Tensor) -> Iterator[tuple[int, int, bool]]:
    """Calls that are norms, sublayers or single layers: where each begins and ends, and whether it is a norm.

    Wrappers around a norm and something else are looked into, and so is what does not return tokens.
    """

    @cache
    def is_norm(number: int) -> bool:
        return _is_norm(calls[number])

    at = 0
    while at < len(calls):
        call = calls[at]
        end = next((i for i in range(at + 1, len(calls)) if calls[i].depth <= call.depth), len(calls))
        if not _works_on_tokens(call, x):
            at += 1
            continue
        if gap(call.result, call.input) <= EXACT:
            at = end
            continue
        normalises = is_norm(at)
        if not normalises and any(is_norm(number) for number in range(at + 1, end)):
            at += 1
            continue
        yield at, end, normalises
        at = end


def _works_on_tokens(call: ModuleCall, x: torch.Tensor) -> bool:
    given, made = call.input, tensor_of(call.result)
    return all(
        isinstance(t, torch.Tensor) and t.is_floating_point() and t.dim() == x.dim() and t.shape[:-1] == x.shape[:-1]
        for t in (given, made)
    )


def _tensors(parts: Sequence[ModuleCall]) -> tuple[torch.Tensor, ...]:
    values = [value for part in parts for value in (part.input, tensor_of(part.result))]
    return tuple(value for value in values if isinstance(value, torch.Tensor))


def tensor_of(result: object) -> torch.Tensor:
    """The result itself, or the first of several (nn.MultiheadAttention returns its weights too)."""
    return result[0] if isinstance(result, tuple | list) and result else result  # type: ignore[return-value]


def _is_norm(call: ModuleCall) -> bool:
    made = tensor_of(call.result)
    tensors = isinstance(call.input, torch.Tensor) and isinstance(made, torch.Tensor)
    return tensors and call.input.dim() > 1 and as_norm(made, call.input) is not None


def _is_pointwise(call: ModuleCall) -> bool:
    """An activation of its input, or its input with elements dropped."""
    made = tensor_of(call.result)
    if made.shape != call.input.shape:
        return False
    kept = made != 0
    factors = (made / call.input)[kept]
    dropped = factors.numel() > 0 and gap(factors, factors.flatten()[:1].expand_as(factors)) <= EXACT
    return dropped or as_activation(made, {"": call.input}) is not None


def _kind(call: ModuleCall, x: torch.Tensor) -> Literal["A", "F"]:
    """Change the first or the last token of the input: does the result change at a token between them?"""
    if call.inputs > 1:
        return "A"
    before = tensor_of(call.result)
    for token in (0, -1):
        changed = call.input.clone()
        changed[:, token] += torch.linspace(1, -1, changed.shape[-1])
        try:
            after = tensor_of(call.module.call(changed).value)
        except StudentRaised:
            return "A" if "Attention" in call.kind else "F"
        if not isinstance(after, torch.Tensor) or after.shape != before.shape:
            return "A"
        if gap(after[:, 1:-1], before[:, 1:-1]) > EXACT:
            return "A"
    return "F"


def _put_together(calls: Sequence[ModuleCall], loose: list[int], x: torch.Tensor) -> Iterator[Part]:
    """Layers called one after the other make one sublayer, if the last returns the shape of the input.

    One layer alone is no sublayer; it will show in the formula (`W·x + …`).
    """
    if len(loose) > 1 and tensor_of(calls[loose[-1]].result).shape == x.shape:
        yield Part("A" if calls[loose[-1]].input.shape == x.shape else "F", loose[0], loose[-1], tuple(loose))
    loose.clear()
