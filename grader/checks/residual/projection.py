"""Shortcuts of images that change the shape: what a shortcut makes of its input, and the formula of a block with one.

Images are (batch, channels, height, width). A block is asked with a sublayer that returns a constant, so that what
remains is its shortcut; then its formula is named as that of any other half, with the pixels as rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import torch
from torch.nn import functional

from grader.checks.expect import EXACT, gap
from grader.checks.probe import Probe
from grader.checks.residual.combinations import RANK
from grader.checks.residual.combine import as_norm
from grader.checks.residual.half import Half, Identified, SublayerCall
from grader.checks.residual.identify import identify_half
from grader.checks.student import Remote

LARGE = 100.0  # a constant beside which the shortcut is small
TAGS = {"missing-skip", "sublayer-unused", "sublayer-twice", "wrong-combine", "wrong-scale", "wrong-skip-tensor",
        "silent-broadcast"}  # fmt: skip


@dataclass(frozen=True)
class Change:
    """From how many channels to how many, and the stride."""

    channels: int
    out_channels: int
    stride: int

    @property
    def formula(self) -> str:
        """What a block with this change should compute."""
        same = self.channels == self.out_channels and self.stride == 1
        return "x + F(x)" if same else "W·x + F(x)"

    def __str__(self) -> str:
        words = f"in_channels={self.channels}, out_channels={self.out_channels}"
        return f"{words} and stride={self.stride}"


def pixels(images: torch.Tensor) -> torch.Tensor:
    """Each pixel as a row (pixels, 1, channels)."""
    return images.movedim(1, -1).flatten(0, -2)[:, None]


def read_shortcut(shortcut: torch.Tensor, x: torch.Tensor, stride: int) -> str | None:
    """How a shortcut of the images `x` reads: "x", "W·x", "W·AvgPool(x)", "" for zeros; None for nothing we know."""
    if gap(shortcut, torch.zeros_like(shortcut)) <= EXACT:
        return ""
    if gap(shortcut, x) <= EXACT:
        return "x"
    sources = dict(_sources(x, stride))
    for name, source in sources.items():
        if source.shape[2:] == shortcut.shape[2:] and (weight := _linear(pixels(shortcut), pixels(source))) is not None:
            return _by_weight(name, weight, stride)
    fits = sources["x"].shape[2:] == shortcut.shape[2:]
    return "relu(W·x)" if fits and _rectified(pixels(shortcut), pixels(sources["x"])) else None


def _sources(x: torch.Tensor, stride: int) -> Iterator[tuple[str, torch.Tensor]]:
    """What a projection may start from, the pixels that the stride lands on first."""
    yield "x", x[..., ::stride, ::stride]
    if stride > 1:
        yield "AvgPool(x)", functional.avg_pool2d(x, stride, ceil_mode=True)
        yield "MaxPool(x)", functional.max_pool2d(x, stride, ceil_mode=True)
    around = functional.unfold(x, 3, padding=1, stride=stride)
    sizes = [-(-size // stride) for size in x.shape[2:]]
    yield "3×3", around.unflatten(-1, sizes)


def _linear(shortcut: torch.Tensor, source: torch.Tensor) -> torch.Tensor | None:
    """The weight (channels, out_channels) of a linear map with a bias, where there is one and enough pixels to tell."""
    rows = torch.cat([source, torch.ones_like(source[..., :1])], -1).flatten(0, -2)
    wanted = shortcut.flatten(0, -2)
    if rows.shape[0] <= rows.shape[1] or not bool(torch.isfinite(wanted).all()):
        return None
    solved: torch.Tensor = torch.linalg.lstsq(rows, wanted, driver="gelsd").solution
    return solved[:-1] if gap(rows @ solved, wanted) <= EXACT else None


def _by_weight(name: str, weight: torch.Tensor, stride: int) -> str:
    """How it reads: a projection mixes all channels, in as many ways as there are."""
    if name == "3×3":
        return "Conv(x)"
    if bool((weight.abs() > EXACT).all()):
        rank = int(torch.linalg.matrix_rank(weight, rtol=RANK))
        return f"W·{name}" if rank == min(weight.shape) else f"W[rank {rank}]·{name}"
    ones = torch.eye(*weight.shape, dtype=weight.dtype)
    if gap(weight, ones) > EXACT:
        return f"W[some channels]·{name}"
    return f"pad({name})" if weight.shape[0] != weight.shape[1] else f"{name}[::{stride}]"


def _rectified(shortcut: torch.Tensor, x: torch.Tensor) -> bool:
    """Whether it is the ReLU of a linear map."""
    for at in range(shortcut.shape[-1]):
        alive = shortcut[..., at] > EXACT
        if not bool((shortcut[..., at] >= 0).all()) or _linear(shortcut[..., at][alive][:, None], x[alive]) is None:
            return False
    return True


def identify_projection(block: Remote, x: torch.Tensor, probe: Probe, change: Change) -> Identified:
    """The formula of `block(x)`, whose sublayer is `probe`; the tag is None where it is the one asked for."""
    function, before = probe.function, len(probe.calls)
    result = block(x)
    calls = [SublayerCall(call.input, call.output) for call in probe.calls[before:]]
    shape = calls[0].output.shape if calls else result.shape
    if result.shape != shape:
        joined = result.dim() == 4 and result.shape[1] == shape[1] + change.channels
        return Identified("cat(x, F(x))" if joined else None, "wrong-combine" if joined else "wrong-return")
    fits = change.formula == "x + F(x)"
    shortcut, read = (x, "x") if fits else _shortcut(block, x, probe, change.stride, shape)
    probe.function = function
    if not read:
        residual = gap(result, calls[0].output) if calls and read == "" else 1.0
        missing = residual <= EXACT
        return Identified("F(x)", "missing-skip", residual) if missing else Identified(None, "wrong-projection")
    found = _named(shortcut, read, x, calls, result)
    return replace(found, tag="sublayer-twice") if found.tag is None and len(calls) > 1 else found


def _shortcut(
    block: Remote, x: torch.Tensor, probe: Probe, stride: int, shape: torch.Size
) -> tuple[torch.Tensor, str | None]:
    """What the block makes of a sublayer of zeros; of a large constant, where that shows a projection more clearly."""
    found = []
    for constant in (0.0, LARGE):
        probe.function = lambda h, constant=constant: torch.full(shape, constant, dtype=h.dtype) + 0.0 * h.sum()
        shortcut = block(x) - constant
        found.append((shortcut, read_shortcut(shortcut, x, stride)))
    return next((one for one in found if one[1] == "W·x"), found[0])


def _named(
    shortcut: torch.Tensor, read: str, x: torch.Tensor, calls: Sequence[SublayerCall], result: torch.Tensor
) -> Identified:
    """As any other half, with the shortcut as what comes in; the sublayer gets `x` itself."""
    direct = [gap(call.input, x) <= EXACT for call in calls]
    inputs = [shortcut if own else call.input for call, own in zip(calls, direct, strict=True)]
    known = [SublayerCall(pixels(one), pixels(call.output)) for one, call in zip(inputs, calls, strict=True)]
    found = identify_half(Half(pixels(shortcut), known, pixels(result), names=(read, "F", "Norm")))
    text = found.text.replace(f"F({read})", "F(x)") if found.text and any(direct) else found.text
    if text == f"{read} + F(x)":
        return Identified(text, None if read in ("x", "W·x") else "wrong-projection", found.residual)
    return Identified(text, found.tag if found.tag in TAGS or text is None else "extra-op", found.residual)


def in_training(evaluated: torch.Tensor, trained: torch.Tensor, branch: torch.Tensor, formula: str) -> str | None:
    """How a block reads that does something else in training: a batch norm of the shortcut or of the sum, else None."""
    skip, _, sublayer = formula.partition(" + ")
    kinds = ((branch, f"BatchNorm({skip}) + {sublayer}"), (torch.zeros_like(branch), f"BatchNorm({formula})"))
    for rest, text in kinds:
        norm = as_norm(pixels(trained - rest), pixels(evaluated - rest))
        if norm is not None and norm.kind == "batch":
            return text
    return None
