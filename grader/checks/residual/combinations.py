"""What a half's result is made of: the simplest of sums, norms, products and activations of what is known."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass

import torch

from grader.checks.expect import EXACT, gap
from grader.checks.residual.combine import Sum, as_activation, as_norm, as_sum, sums
from grader.checks.residual.half import Half

RANK = 1e-6  # of the largest singular value: what is smaller is no channel
Terms = dict[str, torch.Tensor]


@dataclass(frozen=True)
class Result:
    """A formula for the result. `tag` says what it means; where it is None the coefficients of `sum` do."""

    text: str
    tag: str | None
    residual: float
    sum: Sum | None = None


def summed(half: Half, terms: Terms, inner: str) -> Result | None:
    """A sum of known tensors with any coefficients."""
    found = as_sum(half.result, dict(itertools.islice(terms.items(), 8)))
    if found is None:
        return None
    text = found.text.replace("'", "")
    if len(half.calls) > 1 and f"{half.names[1]}({inner})" not in found.terms:
        return Result(text, "sublayer-twice", found.residual)
    return Result(text, sum_tag(half, found, inner), found.residual, found)


def sum_tag(half: Half, found: Sum, inner: str) -> str | None:
    """What a sum means by its coefficients; None for `base + branch`."""
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


def normalised(half: Half, terms: Terms, inner: str) -> Result | None:
    """A norm of the branch, or of a plain sum."""
    base, sub, _ = half.names
    for name, skip in half.skips().items():
        if inner in terms and (residual := _scaled(half.result - skip, terms[inner])) <= EXACT:
            return Result(f"{name} + scale·{inner}", "wrong-scale", residual)
        if inner in terms and (found := as_norm(half.result - skip, terms[inner])) is not None:
            tag = "norm-on-output" if name == base else "wrong-skip-tensor"
            return Result(f"{name} + {half.read(found, inner)}", tag, found.residual)
    for text, value in sums(dict(itertools.islice(terms.items(), 5))):
        if value.shape == half.result.shape and (found := as_norm(half.result, value)) is not None:
            tag = "missing-skip" if text == inner else "post-norm" if inner == f"{sub}({base})" else "double-norm"
            if inner not in text:
                tag = "sublayer-unused"
            return Result(half.read(found, text).replace("'", ""), tag, found.residual)
    return None


def _scaled(target: torch.Tensor, source: torch.Tensor) -> float:
    """How far `target` is from `source` with one factor for each feature."""
    rows = [tensor.double().reshape(-1, tensor.shape[-1]) for tensor in (target, source)]
    if rows[0].shape != rows[1].shape:
        return float("inf")
    factors = (rows[0] * rows[1]).sum(0) / rows[1].square().sum(0).clamp_min(1e-30)
    return gap(rows[1] * factors, rows[0])


def multiplied(half: Half, terms: Terms, inner: str) -> Result | None:
    """A product of two terms, alone or in a sum."""
    few = dict(itertools.islice(terms.items(), 4))
    products = {
        f"{a} · {b}": few[a] * few[b]
        for a, b in itertools.combinations_with_replacement(few, 2)
        if few[a].shape == few[b].shape
    }
    for name, value in products.items():
        if (found := as_sum(half.result, {name: value, **few})) is not None and name in found.terms:
            return Result(found.text, "wrong-combine", found.residual)
    base, branch = half.names[0], terms.get(inner)
    if branch is not None and branch.shape == half.base.shape:
        for name, function in (("max", torch.maximum), ("min", torch.minimum)):
            if (residual := gap(half.result, function(half.base, branch))) <= EXACT:
                return Result(f"{name}({base}, {inner})", "wrong-combine", residual)
    return None


def activated(half: Half, terms: Terms, inner: str) -> Result | None:
    """An activation of a plain sum, alone or with a shortcut around it."""
    few = dict(itertools.islice(terms.items(), 4))
    for name, skip in {"": torch.zeros_like(half.result), **half.skips()}.items():
        if (found := as_activation(half.result - skip, few)) is not None:
            function, text, residual = found
            tag = "wrong-skip-tensor" if name not in ("", half.names[0]) else "extra-op"
            function = function.replace("gelu_erf", "gelu")
            return Result(f"{name} + {function}({text})" if name else f"{function}({text})", tag, residual)
    return None


def mixed(half: Half, terms: Terms, inner: str) -> Result | None:
    """A sum in which the branch or the shortcut went through a norm or an activation first: two mistakes in one."""
    found = as_sum(half.result, dict(itertools.islice({**terms, **_derived(half, terms, inner)}.items(), 16)))
    if found is None:
        return None
    text = found.text.replace("'", "")
    if not any(inner in term for term in found.terms):
        return Result(text, "sublayer-unused", found.residual)
    own = found.coefficient(half.names[0])
    tag = "extra-op" if own else "missing-skip"
    if own and any(f"({inner})" in term and term.startswith("Norm") for term in found.terms):
        tag = "norm-on-output"
    return Result(text, tag, found.residual)


def _derived(half: Half, terms: Terms, inner: str) -> Terms:
    base, _, norm = half.names
    made: Terms = {}
    sources = {name: terms[name] for name in (inner, base) if name in terms}
    for name, value in sources.items():
        made[f"relu({name})"] = torch.relu(value)
        made[f"gelu({name})"] = torch.nn.functional.gelu(value, approximate="tanh")
        made[f"tanh({name})"] = torch.tanh(value)
    if inner in terms and terms[inner].shape == half.base.shape:
        plain = torch.nn.functional.layer_norm(terms[inner], terms[inner].shape[-1:])
        made[f"{norm}({inner})"] = plain
        for number, (weight, bias) in enumerate(itertools.permutations(half.vectors[:4], 2), 1):
            made[f"{norm}({inner})" + "'" * number] = plain * weight + bias
    return made


def reduced(half: Half, terms: Terms, inner: str) -> Result | None:
    """A branch of fewer numbers, stretched by broadcasting."""
    if inner not in terms:
        return None
    branch, base = terms[inner], half.names[0]
    smaller = {
        f"{inner}[last token]": branch[..., -1:, :], f"{inner}[first token]": branch[..., :1, :],
        f"mean_tokens({inner})": branch.mean(-2, keepdim=True),
        f"mean_features({inner})": branch.mean(-1, keepdim=True),
        f"mean_batch({inner})": branch.mean(0, keepdim=True),
        f"sum_tokens({inner})": branch.sum(-2, keepdim=True),
        f"sum_features({inner})": branch.sum(-1, keepdim=True),
        f"max_tokens({inner})": branch.amax(-2, keepdim=True),
        f"{inner}[first of the batch]": branch[:1], f"{inner}[first feature]": branch[..., :1],
        f"{inner}[last feature]": branch[..., -1:],
    }  # fmt: skip
    for name, value in smaller.items():
        terms_here = {base: half.base, name: value.expand_as(branch)}
        if (found := as_sum(half.result, terms_here)) is not None and name in found.terms:
            return Result(found.text, "silent-broadcast", found.residual)
    return None


def projected(half: Half, terms: Terms, inner: str) -> Result | None:
    """A linear layer on one of the two paths, or on their sum."""
    if inner not in terms or terms[inner].shape != half.base.shape:
        return None
    base, branch = half.names[0], terms[inner]
    nothing = torch.zeros_like(half.result)
    for mapped, rest, text in (
        (half.base, branch, f"W·{base} + {inner}"),
        (branch, half.base, f"{base} + W·{inner}"),
        (half.base + branch, nothing, f"W·({base} + {inner})"),
        (branch, nothing, f"W·{inner}"),
        (torch.cat([half.base, branch], -1), nothing, f"W·cat({base}, {inner})"),
    ):
        residual = linear_residual(half.result - rest, mapped)
        if residual <= EXACT:
            tag = {f"W·{inner}": "missing-skip", f"W·cat({base}, {inner})": "wrong-combine"}.get(text, "extra-op")
            return Result(text, tag, residual)
    return None


def linear_residual(target: torch.Tensor, source: torch.Tensor) -> float:
    """How far `target` is from a linear layer of `source`; infinite where numbers or rows do not allow to tell.

    Channels of almost nothing (dead activations) are left out: with weights beyond all measure they would fit anything.
    """
    rows = source.double().reshape(-1, source.shape[-1])
    known = torch.cat([rows, torch.ones_like(rows[:, :1])], 1)
    wanted = target.double().reshape(rows.shape[0], -1)
    finite = bool(torch.isfinite(known).all() and torch.isfinite(wanted).all())
    if not finite or known.shape[0] <= known.shape[1]:
        return float("inf")
    solved = torch.linalg.lstsq(known, wanted, rcond=RANK, driver="gelsd").solution
    return gap(known @ solved, wanted)


def joined(half: Half, terms: Terms, inner: str) -> Result | None:
    """Both paths side by side."""
    if inner not in terms or half.result.shape != (*half.base.shape[:-1], 2 * half.base.shape[-1]):
        return None
    for first, second in itertools.permutations((half.names[0], inner)):
        if (residual := gap(half.result, torch.cat([terms[first], terms[second]], -1))) <= EXACT:
            return Result(f"cat({first}, {second})", "wrong-combine", residual)
    return None


Attempt = Callable[[Half, Terms, str], Result | None]
ATTEMPTS: tuple[Attempt, ...] = (summed, normalised, multiplied, activated, mixed, reduced, projected)
