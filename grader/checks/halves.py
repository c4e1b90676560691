"""The two halves of a transformer block, found by watching it run: who mixes tokens, who works on each token alone.

Nothing rests on names. A module call is a norm if its result is a norm of its input, the attention if a change in one
token changes others, the feed forward if not. Layers called one by one in `forward` are put together to a sublayer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import torch

from grader.checks.combine import as_norm
from grader.checks.expect import EXACT, gap
from grader.checks.identify import Half, Identified, SublayerCall, identify_half
from grader.checks.student import ModuleCall, Remote
from grader.sandbox.session import StudentRaised

HALVES = {"A": "attn", "F": "ffn"}


@dataclass(frozen=True)
class Sublayer:
    """An attention ("A") or feed forward ("F") in one forward pass. `parts` are the module calls it consists of."""

    kind: Literal["A", "F"]
    input: torch.Tensor
    output: torch.Tensor
    at: int
    parts: tuple[ModuleCall, ...]

    def last_layer(self, parameters: dict[str, torch.Tensor]) -> tuple[str, str] | None:
        """Names of weight and bias of its last linear layer, None where it has no such layer with a bias."""
        called = [f"{part.name}." for part in reversed(self.parts) if part.name and part.kind.endswith("Linear")]
        inside = [name.removesuffix("out_proj.weight") for name in parameters if name.endswith("out_proj.weight")]
        within = [f"{prefix}out_proj." for prefix in inside if prefix.startswith(f"{self.parts[0].name}.")]
        for layer in (*called[:1], *within):
            if {f"{layer}weight", f"{layer}bias"} <= parameters.keys():
                return f"{layer}weight", f"{layer}bias"
        return None


@dataclass
class Anatomy:
    """One forward pass taken apart: norms and sublayers in the order of their calls, and the result."""

    x: torch.Tensor
    result: object
    norms: list[tuple[int, ModuleCall]] = field(default_factory=list)
    sublayers: list[Sublayer] = field(default_factory=list)

    @property
    def order(self) -> str:
        """The kinds of the sublayers, "AF" for a block as asked for."""
        return "".join(sublayer.kind for sublayer in self.sublayers)


@dataclass(frozen=True)
class BlockFound:
    """The formulas of both halves; `anatomy` is what they were read from, `bases` are the inputs of the halves."""

    first: Identified
    second: Identified
    anatomy: Anatomy
    bases: tuple[torch.Tensor, torch.Tensor]

    def as_one(self, half: Identified) -> Identified:
        """The formula of the whole block, with the tag of one half; both halves wrong alike count as "both"."""
        text = f"h = {self.first.text}; y = {self.second.text}"
        known = self.first.text is not None and self.second.text is not None
        where = "both" if self.first.tag == self.second.tag else half.half
        return replace(half, text=text if known else None, half=where)


def anatomy(block: Remote, x: torch.Tensor) -> Anatomy:
    """Watch `block(x)` run in evaluation mode; `x` has at least three tokens."""
    result, calls = block.trace(x)
    found = Anatomy(x, result)
    loose: list[tuple[int, ModuleCall]] = []
    for at, call, inside, normalises in _outermost(calls, x):
        if normalises:
            _put_together(found, loose)
            found.norms.append((at, call))
        elif not inside and (loose or call.kind.endswith("Linear") or call.input.shape != x.shape):
            loose.append((at, call))
        else:
            _put_together(found, loose)
            kind = _kind(call, x)
            found.sublayers.append(Sublayer(kind, call.input, _tensor(call.result), at, (call, *inside)))
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
    given, made = call.input, _tensor(call.result)
    return all(
        isinstance(t, torch.Tensor) and t.is_floating_point() and t.dim() == x.dim() and t.shape[:-1] == x.shape[:-1]
        for t in (given, made)
    )


def _tensor(result: object) -> torch.Tensor:
    """The result itself, or the first of several (nn.MultiheadAttention returns its weights too)."""
    return result[0] if isinstance(result, tuple | list) and result else result  # type: ignore[return-value]


def _is_norm(call: ModuleCall) -> bool:
    made = _tensor(call.result)
    tensors = isinstance(call.input, torch.Tensor) and isinstance(made, torch.Tensor)
    return tensors and call.input.dim() > 1 and as_norm(made, call.input) is not None


def _kind(call: ModuleCall, x: torch.Tensor) -> Literal["A", "F"]:
    """Change the first or the last token of the input: does the result change at a token between them?"""
    if call.inputs > 1:
        return "A"
    before = _tensor(call.result)
    for token in (0, -1):
        changed = call.input.clone()
        changed[:, token] += torch.linspace(1, -1, changed.shape[-1])
        try:
            after = _tensor(call.module.call(changed).value)
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
        output = _tensor(last.result)
        if output.shape == found.x.shape and len(loose) > 1:
            kind: Literal["A", "F"] = "A" if last.input.shape == found.x.shape else "F"
            parts = tuple(call for _, call in loose)
            found.sublayers.append(Sublayer(kind, first.input, output, at, parts))
        loose.clear()


# ---------------------------------------------------------------- the formulas


def identify_block(block: Remote, x: torch.Tensor) -> BlockFound | None:
    """Name both halves, or None when they cannot be told apart from outside (own layers without modules)."""
    found = anatomy(block, x)
    if not isinstance(found.result, torch.Tensor) or found.result.shape != x.shape or not found.sublayers:
        return None
    tries = []
    for middle in _middles(found):
        first, second = _halves(found, middle)
        tries.append(BlockFound(first, second, found, (x, middle)))
        if first.text and second.text and not first.tag and not second.tag:
            break
    return min(tries, key=_doubts)


def _middles(found: Anatomy) -> list[torch.Tensor]:
    """What may stand between the halves: what is normalised before the second sublayer, its input, or what is left."""
    assert isinstance(found.result, torch.Tensor)
    if len(found.sublayers) < 2:
        return [found.result]
    first, second = found.sublayers[0], found.sublayers[1]
    between = [call.input for at, call in found.norms if first.at < at < second.at]
    return [*reversed(between), second.input, found.result - second.output]


def _doubts(block: BlockFound) -> tuple[int, int, int]:
    """Fewest unknown halves, then fewest mistakes, then the shortest formulas."""
    pair = (block.first, block.second)
    unknown = sum(half.text is None for half in pair)
    return unknown, sum(half.tag is not None for half in pair), sum(len(half.text or "") for half in pair)


def _halves(found: Anatomy, middle: torch.Tensor) -> tuple[Identified, Identified]:
    assert isinstance(found.result, torch.Tensor)
    kinds = [sublayer.kind for sublayer in found.sublayers]
    first = _half(found, found.x, middle, found.sublayers[:1], ("x", kinds[0], "Norm1"))
    second = _half(found, middle, found.result, found.sublayers[1:], ("h", kinds[1] if kinds[1:] else "F", "Norm2"))
    return first, second


def _half(
    found: Anatomy, base: torch.Tensor, result: torch.Tensor, sublayers: list[Sublayer], names: tuple[str, str, str]
) -> Identified:
    normed = [_tensor(call.result) for _, call in found.norms if gap(call.input, base) <= EXACT]
    others = {"x": found.x} if names[0] == "h" and gap(found.x, base) > EXACT else {}
    calls = [SublayerCall(sublayer.input, sublayer.output) for sublayer in sublayers]
    half = Half(base, calls, result, (), normed, others, names, HALVES[names[1]])
    return _with_order(identify_half(half), found)


def _with_order(half: Identified, found: Anatomy) -> Identified:
    """Mistakes in which sublayer runs where, which the formula of one half alone does not show."""
    tags = {"FA": "swapped-order", "AA": "wrong-sublayer", "FF": "wrong-sublayer"}
    if half.tag is None and found.order in tags:
        return replace(half, tag=tags[found.order])
    if half.tag is None and len(found.order) > 2:
        return replace(half, tag="sublayer-twice")
    return half
