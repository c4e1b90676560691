"""Naming the formula of a residual half: what goes into the sublayer, and what its result is combined with.

`identify` works from probes and numbers alone; no name, class or hook of the student's code is looked at. Outside the
catalogue the answer is "not a formula we know" (`text` is None), never a guess.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import torch

from grader.checks.combine import Sum, as_activation, as_norm, as_sum, sums
from grader.checks.expect import EXACT, gap
from grader.checks.probe import Probe
from grader.checks.student import Remote

NORMS = {  # kind: (how it reads in a formula, tag when it stands where a layer norm should)
    "layer": ("{norm}", None),
    "deviation": ("{norm}[std + eps]", "norm-wrong-stat"),
    "unbiased": ("{norm}[n - 1]", "norm-wrong-stat"),
    "rms": ("RMSNorm", "wrong-norm"),
    "batch": ("BatchNorm", "wrong-norm"),
    "sequence": ("{norm}[over tokens]", "norm-wrong-axis"),
    "everything": ("{norm}[over everything]", "norm-wrong-axis"),
    "features and sequence": ("{norm}[over tokens and features]", "norm-wrong-axis"),
}


@dataclass(frozen=True)
class Identified:
    """A formula that was found: `text` as the student reads it (None: unknown), `tag` what it means if it is wrong."""

    text: str | None
    tag: str | None = None
    residual: float | None = None
    half: str | None = None


@dataclass(frozen=True)
class SublayerCall:
    """What went into a sublayer and what came out."""

    input: torch.Tensor
    output: torch.Tensor


@dataclass(frozen=True)
class Half:
    """What is known of one half: its input `base`, the sublayer's calls, its result, and what else it may have used.

    `vectors` are the module's own parameters of shape (dim,), candidates for a norm's weight and bias; `normed` are
    norms of `base` that were seen; `others` are earlier tensors by name. The names are those of the formula: base "x",
    sublayer "F", norm "Norm".
    """

    base: torch.Tensor
    calls: Sequence[SublayerCall]
    result: torch.Tensor
    vectors: Sequence[torch.Tensor] = ()
    normed: Sequence[torch.Tensor] = ()
    others: dict[str, torch.Tensor] = field(default_factory=dict)
    names: tuple[str, str, str] = ("x", "F", "Norm")
    half: str | None = None


def identify(block: Remote, x: torch.Tensor, probe: Probe) -> Identified:
    """The formula of `block(x)`, where `probe` is the sublayer that the block was built with."""
    before = len(probe.calls)
    result = block(x)
    calls = [SublayerCall(call.input, call.output) for call in probe.calls[before:]]
    vectors = [p for p in block.parameters().values() if p.shape == x.shape[-1:]]
    found = identify_half(Half(x, calls, result, vectors))
    if found.tag != "wrong-norm" or "BatchNorm" not in (found.text or "") or not calls:
        return found
    block(3.0 * x)  # a fixed scale per channel follows its input, statistics over everything do not
    if gap(probe.calls[-1].input, calls[0].input) > 1e-3:
        return found
    text = (found.text or "").replace("BatchNorm", NORMS["everything"][0].format(norm="Norm"))
    return Identified(text, NORMS["everything"][1], found.residual)


def identify_half(half: Half) -> Identified:
    """Name the sublayer's input first, then the result as the simplest combination of what is known."""
    sub = half.names[1]
    input_text, tag = _input(half) if half.calls else ("", None)
    inner = f"{sub}({input_text or '?'})"
    terms = _terms(half, input_text, inner)
    same_shape = half.result.shape == half.base.shape
    attempts = (_sum, _normed, _multiplied, _activated, _reduced, _projected) if same_shape else (_joined,)
    for attempt in attempts:
        found = attempt(half, terms, inner)
        if found is not None:
            return _judged(half, found, inner, tag) if input_text is not None else _unknown_input(half, found)
    return Identified(None, None, half=half.half)


@dataclass(frozen=True)
class _Result:
    text: str
    tag: str | None
    residual: float
    sum: Sum | None = None


def _judged(half: Half, found: _Result, inner: str, input_tag: str | None) -> Identified:
    """The tag of the result wins, unless the result is as asked for: then the sublayer's input decides."""
    tag = found.tag
    if tag is None and found.sum is not None:
        tag = _sum_tag(half, found.sum, inner)
    return Identified(found.text, tag or input_tag, found.residual, half.half)


def _unknown_input(half: Half, found: _Result) -> Identified:
    return Identified(None, "missing-norm" if found.tag is None else found.tag, None, half.half)


# ---------------------------------------------------------------- the sublayer's input


def _input(half: Half) -> tuple[str | None, str | None]:
    base, _, norm = half.names
    given = half.calls[0].input
    for name, tensor in {base: half.base, **half.others}.items():
        if gap(given, tensor) <= EXACT:
            return name, "missing-norm"
        if (found := as_norm(given, tensor)) is not None:
            text, tag = NORMS[found.kind]
            if found.kind == "layer" and found.eps == 0.0:
                tag = "norm-wrong-stat"
            if name != base:
                tag = tag or "parallel-halves"
            return f"{text.format(norm=norm)}({name})", tag
    for inner in _norms_of(half):
        if as_norm(given, inner) is not None:
            return f"{norm}({norm}({base}))", "double-norm"
    total = as_sum(given, {base: half.base, **half.others})
    return (total.text, "missing-norm") if total is not None else (None, None)


def _norms_of(half: Half) -> Iterator[torch.Tensor]:
    """Norms of the base: those that were seen, one without parameters, one for every pair of vectors."""
    yield from half.normed
    plain = torch.nn.functional.layer_norm(half.base, half.base.shape[-1:])
    yield plain
    for weight, bias in itertools.permutations(half.vectors[:8], 2):
        yield plain * weight + bias


def _terms(half: Half, input_text: str | None, inner: str) -> dict[str, torch.Tensor]:
    """Everything that the result may be made of, in the order in which a formula names it."""
    base, sub, norm = half.names
    terms = {base: half.base, **half.others}
    if half.calls and input_text and input_text not in terms:
        terms[input_text] = half.calls[0].input
    outputs = [call.output for call in half.calls]
    if len(outputs) == 2 and gap(half.calls[1].input, outputs[0]) <= EXACT:
        terms[f"{sub}({inner})"] = outputs[1]
    if outputs:
        terms[inner] = outputs[0]
    if not half.calls or input_text == base:
        for number, normed in enumerate(_norms_of(half)):
            terms.setdefault(f"{norm}({base})" + "'" * number, normed)
    return terms


# ---------------------------------------------------------------- the result


def _sum(half: Half, terms: dict[str, torch.Tensor], inner: str) -> _Result | None:
    short = dict(itertools.islice(terms.items(), 8))
    found = as_sum(half.result, short)
    if found is None:
        return None
    text = found.text.replace("'", "")
    if len(half.calls) > 1 and f"{half.names[1]}({inner})" not in found.terms:
        return _Result(text, "sublayer-twice", found.residual)
    return _Result(text, None, found.residual, found)


def _sum_tag(half: Half, found: Sum, inner: str) -> str | None:
    base, sub, _ = half.names
    own, branch = found.coefficient(base), found.coefficient(inner)
    rest = [term for term in found.terms if term not in (base, inner)]
    if f"{sub}({inner})" in rest:
        return "sublayer-twice"
    if abs(branch) < EXACT:
        return "sublayer-unused"
    if not own and not rest:
        return "missing-skip" if _is(branch, 1) else "wrong-skip-tensor" if _is(branch, 2) else "wrong-scale"
    if not own:
        return "skip-after-norm" if "Norm" in rest[0] else "wrong-skip-tensor"
    if rest:
        return "extra-op" if any("Norm" in term for term in rest) else "wrong-skip-tensor"
    if own < 0 or branch < 0:
        return "wrong-combine"
    return None if _is(own, 1) and _is(branch, 1) else "wrong-scale"


def _is(value: float, wanted: float) -> bool:
    return abs(value - wanted) < 1e-6


def _normed(half: Half, terms: dict[str, torch.Tensor], inner: str) -> _Result | None:
    base, sub, norm = half.names
    if inner in terms and (found := as_norm(half.result - half.base, terms[inner])) is not None:
        return _Result(f"{base} + {NORMS[found.kind][0].format(norm=norm)}({inner})", "norm-on-output", found.residual)
    for text, value in sums(dict(itertools.islice(terms.items(), 5))):
        if value.shape == half.result.shape and (found := as_norm(half.result, value)) is not None:
            tag = "missing-skip" if text == inner else "post-norm" if inner == f"{sub}({base})" else "double-norm"
            if inner not in text:
                tag = "sublayer-unused"
            reads = NORMS[found.kind][0].format(norm=norm)
            return _Result(f"{reads}({text})".replace("'", ""), tag, found.residual)
    return None


def _multiplied(half: Half, terms: dict[str, torch.Tensor], inner: str) -> _Result | None:
    few = dict(itertools.islice(terms.items(), 4))
    products = {
        f"{a} · {b}": few[a] * few[b]
        for a, b in itertools.combinations_with_replacement(few, 2)
        if few[a].shape == few[b].shape
    }
    for name, value in products.items():
        if (found := as_sum(half.result, {name: value, **few})) is not None and name in found.terms:
            return _Result(found.text, "wrong-combine", found.residual)
    return None


def _activated(half: Half, terms: dict[str, torch.Tensor], inner: str) -> _Result | None:
    few = dict(itertools.islice(terms.items(), 4))
    if (found := as_activation(half.result, few)) is not None:
        name, text, residual = found
        return _Result(f"{name}({text})", "extra-op", residual)
    base = half.names[0]
    if (found := as_activation(half.result - half.base, few)) is not None:
        name, text, residual = found
        return _Result(f"{base} + {name}({text})", "extra-op", residual)
    return None


def _reduced(half: Half, terms: dict[str, torch.Tensor], inner: str) -> _Result | None:
    if inner not in terms:
        return None
    branch, base = terms[inner], half.names[0]
    smaller = {
        f"{inner}[last token]": branch[..., -1:, :], f"{inner}[first token]": branch[..., :1, :],
        f"mean over tokens of {inner}": branch.mean(-2, keepdim=True),
        f"mean over features of {inner}": branch.mean(-1, keepdim=True),
        f"mean over the batch of {inner}": branch.mean(0, keepdim=True),
        f"{inner}[first of the batch]": branch[:1],
    }  # fmt: skip
    for name, value in smaller.items():
        terms_here = {base: half.base, name: value.expand_as(branch)}
        if (found := as_sum(half.result, terms_here)) is not None and name in found.terms:
            return _Result(found.text, "silent-broadcast", found.residual)
    return None


def _projected(half: Half, terms: dict[str, torch.Tensor], inner: str) -> _Result | None:
    if inner not in terms:
        return None
    base, branch = half.names[0], terms[inner]
    for mapped, rest, text in ((half.base, branch, f"W·{base} + {inner}"), (branch, half.base, f"{base} + W·{inner}")):
        residual = _linear_residual(half.result - rest, mapped)
        if residual <= EXACT:
            return _Result(text, "extra-op", residual)
    return None


def _linear_residual(target: torch.Tensor, source: torch.Tensor) -> float:
    """How far `target` is from a linear layer of `source`; infinite where numbers or rows do not allow to tell."""
    rows = source.double().reshape(-1, source.shape[-1])
    known = torch.cat([rows, torch.ones_like(rows[:, :1])], 1)
    wanted = target.double().reshape(rows.shape)
    finite = bool(torch.isfinite(known).all() and torch.isfinite(wanted).all())
    if not finite or known.shape[0] <= known.shape[1]:
        return float("inf")
    return gap(known @ torch.linalg.lstsq(known, wanted).solution, wanted)


def _joined(half: Half, terms: dict[str, torch.Tensor], inner: str) -> _Result | None:
    if inner not in terms or half.result.shape != (*half.base.shape[:-1], 2 * half.base.shape[-1]):
        return None
    for first, second in itertools.permutations((half.names[0], inner)):
        if (residual := gap(half.result, torch.cat([terms[first], terms[second]], -1))) <= EXACT:
            return _Result(f"cat({first}, {second})", "wrong-combine", residual)
    return None
