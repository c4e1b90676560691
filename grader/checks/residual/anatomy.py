"""A block's forward pass taken apart by its module calls: who mixes tokens, who works on each token alone.

Nothing rests on names. A module call is a norm if its result is a norm of its input, the attention if a change in one
token changes others, the feed forward if not. Layers called one by one in `forward` are put together to a sublayer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

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


@dataclass
class Anatomy:
    """One forward pass taken apart: norms and sublayers in the order of their calls, and the result."""

    x: torch.Tensor
    result: object
    norms: list[tuple[int, SublayerCall]] = field(default_factory=list)
    sublayers: list[Sublayer] = field(default_factory=list)

    @property
    def order(self) -> str:
        """The kinds of the sublayers, "AF" for a block as asked for."""
        return "".join(sublayer.kind for sublayer in self.sublayers)


def anatomy(block: Remote, x: torch.Tensor) -> Anatomy:
    """Watch `block(x)` run in evaluation mode; `x` has at least three tokens."""
    result, calls = block.trace(x)
    found = Anatomy(x, result)
    loose: list[tuple[int, ModuleCall]] = []
    for at, call, inside, normalises in _outermost(calls, x):
        if normalises:
            _put_together(found, loose)
            found.norms.append((at, SublayerCall(call.input, tensor_of(call.result))))
        elif (
            not inside
            and _is_pointwise(call)
            and not (loose and gap(call.input, tensor_of(loose[-1][1].result)) <= EXACT)
        ):
            _put_together(found, loose)  # an activation or a dropout of a sum, or of a sublayer's result
        elif not inside and (loose or call.kind.endswith("Linear") or call.input.shape != x.shape):
            loose.append((at, call))
        else:
            _put_together(found, loose)
            kind = _kind(call, x)
            parts = (call, *inside)
            found.sublayers.append(Sublayer(kind, call.input, tensor_of(call.result), at, parts, _tensors(parts)))
    _put_together(found, loose)
    return found


def _outermost(
    calls: Sequence[ModuleCall], x: torch.Tensor
) -> Iterator[tuple[int, ModuleCall, tuple[ModuleCall, ...], bool]]:
    """Calls that are norms, sublayers or single layers, the calls inside them, and whether it is a norm.

    Wrappers around a norm and something else are looked into, and so is what does not return tokens.
    """
    at = 0
    while at < len(calls):
        call = calls[at]
        end = next((i for i in range(at + 1, len(calls)) if calls[i].depth <= call.depth), len(calls))
        inside = tuple(calls[at + 1 : end])
        if not _works_on_tokens(call, x):
            at += 1
            continue
        if gap(call.result, call.input) <= EXACT:
            at = end
            continue
        normalises = _is_norm(call)
        if not normalises and any(_is_norm(part) for part in inside):
            at += 1
            continue
        yield at, call, inside, normalises
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


def _put_together(found: Anatomy, loose: list[tuple[int, ModuleCall]]) -> None:
    """Layers called one after the other make one sublayer, if the last returns the shape of the input.

    One layer alone is no sublayer; it will show in the formula (`W·x + …`).
    """
    if loose:
        (at, first), (_, last) = loose[0], loose[-1]
        output = tensor_of(last.result)
        if output.shape == found.x.shape and len(loose) > 1:
            kind: Literal["A", "F"] = "A" if last.input.shape == found.x.shape else "F"
            parts = tuple(call for _, call in loose)
            found.sublayers.append(Sublayer(kind, first.input, output, at, parts, _tensors(parts)))
        loose.clear()
