"""Naming the formula of a block that is asked for as `Norm(x + F(x))`, and what each other formula means there.

The catalogue of `identify` is that of pre-norm: its tags are read anew, and what stands inside a norm is looked at
closer. A norm takes neither size nor mean, so `Norm(2·x + 2·F(x))` is the same block; how the two weigh is not.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import replace

import torch

from grader.checks.expect import EXACT, gap
from grader.checks.probe import Probe
from grader.checks.residual.combine import ACTIVATIONS, Sum, as_norm
from grader.checks.residual.half import NORMS, Half, Identified, SublayerCall
from grader.checks.residual.identify import identify_half
from grader.checks.residual.paths import Arrived, Path, lost_at
from grader.checks.student import Remote

POST_NORM = "Norm(x + F(x))"
LARGEST_EPS = 1e-3
CUT = {"skip": "Norm(detach(x) + F(x))", "branch": "Norm(x + detach(F(x)))", "norm": "Norm(x + F(detach(x)))",
       "input": "Norm(x + F(detach(x)))", "all": "detach(Norm(x + F(x)))"}  # fmt: skip


def identify_post_norm(
    block: Remote, x: torch.Tensor, probe: Probe, others: dict[str, torch.Tensor] | None = None
) -> Identified:
    """The formula of `block(x)`, where `probe` is the sublayer that the block was built with; `others` may be added."""
    before = len(probe.calls)
    result = block(x)
    calls = [SublayerCall(call.input, call.output) for call in probe.calls[before:]]
    vectors = [p.flatten() for p in block.parameters().values() if p.numel() == x.shape[-1]]
    return identify_normed_sum(Half(x, calls, result, vectors, others=others or {}))


def identify_normed_sum(half: Half) -> Identified:
    """The formula of a half, and its tag where the norm of the sum is asked for (None: it is as asked for)."""
    found = identify_half(half)
    if not half.calls or half.result.shape != half.base.shape or gap(half.calls[0].input, half.base) > EXACT:
        return _read_anew(found, half)
    branch = half.calls[0].output
    if branch.shape == half.base.shape and (norm := as_norm(half.result, half.base + branch)) is not None:
        reads, tag = NORMS[norm.kind]
        if norm.kind == "layer" and norm.eps > LARGEST_EPS:
            reads, tag = f"Norm[eps = {norm.eps:g}]", "norm-wrong-stat"
        tag = tag or ("sublayer-twice" if len(half.calls) > 1 else None)
        return Identified(reads.format(norm="Norm") + "(x + F(x))", tag, norm.residual)
    if found.text is None:
        found = next((one for one in _closer(half, branch) if one is not None), found)
    return _read_anew(found, half)


def _read_anew(found: Identified, half: Half) -> Identified:
    """What a formula means here that was named where pre-norm is asked for."""
    text, tag = found.text or "", found.tag
    if text.startswith(("x + F(", "Norm(x) + F(")) and "Norm" in text.partition("F(")[2]:
        tag = "pre-norm"
    elif tag in ("post-norm", "double-norm") and len(half.calls) > 1:
        tag = "sublayer-twice"
    elif tag in ("post-norm", "double-norm"):
        tag = "double-norm" if text.count("Norm") > 1 else "wrong-skip-tensor" if "F(x)" in text else "extra-op"
    return replace(found, tag=tag)


# What the catalogue does not have: sums inside a norm that are not plain, and what is done to a norm ------------------


def _closer(half: Half, branch: torch.Tensor) -> Iterator[Identified | None]:
    x, result = half.base, half.result
    if branch.shape != x.shape:
        return
    for text, argument, tag in _arguments(x, branch):
        if (norm := as_norm(result, argument)) is not None and norm.kind == "layer":
            yield Identified(f"Norm({text})", tag, norm.residual)
    for text, rest, tag in (("x", x, "extra-op"), ("F(x)", branch, "extra-op")):
        if (norm := as_norm(result - rest, x + branch)) is not None and norm.kind == "layer":
            yield Identified(f"{text} + Norm(x + F(x))", tag, norm.residual)
    for weight, bias in _affines(half):
        normed = torch.nn.functional.layer_norm(x + branch, x.shape[-1:]) * weight + bias
        for name, function in ACTIVATIONS.items():
            if (residual := gap(function(normed), result)) <= EXACT:
                yield Identified(f"{name.removesuffix('_erf')}(Norm(x + F(x)))", "extra-op", residual)
        if (norm := as_norm(result, normed)) is not None and norm.kind == "layer":
            yield Identified("Norm(Norm(x + F(x)))", "double-norm", norm.residual)
    yield from (_weighed(half, branch, *affine) for affine in _affines(half))


def _arguments(x: torch.Tensor, branch: torch.Tensor) -> Iterator[tuple[str, torch.Tensor, str]]:
    """What may stand in a norm in place of `x + F(x)`, and what it means."""
    yield "x · F(x)", x * branch, "wrong-combine"
    yield "max(x, F(x))", torch.maximum(x, branch), "wrong-combine"
    for kind, function in ACTIVATIONS.items():
        name = kind.removesuffix("_erf")
        yield f"{name}(x + F(x))", function(x + branch), "extra-op"
        yield f"x + {name}(F(x))", x + function(branch), "extra-op"
        yield f"{name}(x) + F(x)", function(x) + branch, "extra-op"
        yield f"{name}(F(x))", function(branch), "missing-skip"
    yield "x + Norm(F(x))", x + torch.nn.functional.layer_norm(branch, x.shape[-1:]), "double-norm"
    for axis, name in ((-2, "tokens"), (-1, "features"), (0, "batch")):
        yield f"x + mean_{name}(F(x))", x + branch.mean(axis, keepdim=True), "silent-broadcast"
    yield "x + F(x)[last token]", x + branch[..., -1:, :], "silent-broadcast"
    yield "x + F(x)[first token]", x + branch[..., :1, :], "silent-broadcast"


def _affines(half: Half) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    """Scale and shift that the norm may have: none, or any two of the block's vectors."""
    dim = half.base.shape[-1]
    yield half.base.new_ones(dim), half.base.new_zeros(dim)
    yield from itertools.permutations(half.vectors[:6], 2)


def _weighed(half: Half, branch: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor) -> Identified | None:
    """A norm of `a·x + b·F(x)`: before scale and shift, each row is a sum of the two without their means."""
    rows = [(t - t.mean(-1, keepdim=True)).reshape(-1, t.shape[-1]) for t in (half.base, branch)]
    wanted = ((half.result - bias) / weight).reshape(-1, half.base.shape[-1])
    if not bool(torch.isfinite(wanted).all()):
        return None
    solved = torch.linalg.lstsq(torch.stack(rows, -1), wanted[..., None]).solution[..., 0]
    ratio = float((solved[:, 1] / solved[:, 0]).median())
    for own, other in ((1.0, ratio), (1 / ratio, 1.0)) if math.isfinite(ratio) and ratio else ():
        for sign in (1.0, -1.0):
            sum_ = Sum(("x", "F(x)"), (sign * own, sign * other), 0.0)
            norm = as_norm(half.result, sign * own * half.base + sign * other * branch)
            if norm is not None and norm.kind == "layer" and norm.residual <= EXACT and bool(norm.weight.mean() > 0):
                tag = "wrong-scale" if min(own, other) > 0 else "wrong-combine"
                return Identified(f"Norm({sum_.text})", tag, norm.residual)
    return None


# A lost gradient ------------------------------------------------------------------------------------------------------


def lost_in_post_norm(
    block: Remote, x: torch.Tensor, probe: Probe, cotangent: torch.Tensor, *, trains: bool
) -> str | None:
    """How a block reads that computes `Norm(x + F(x))` and loses a part of its gradient; None where that is unclear.

    `trains`: whether a gradient arrives at the parameters of a sublayer.
    """
    found = block.gradient(x, cotangent)
    with torch.enable_grad():
        total = (x + probe.function(x)).detach().requires_grad_()
        norm = as_norm(found.output, total.detach())
        if norm is None or norm.kind != "layer":
            return None
        (norm.apply(total) * cotangent).sum().backward()
    assert total.grad is not None
    arrived = Arrived(found.input, {(0, "sublayer"): trains})
    cut = lost_at([Path(lambda t: t, probe.function)], x, total.grad, arrived)
    return CUT[cut[0]] if cut is not None else None
