"""Finding the short formula behind numbers: a target as a sum of known tensors, or as a norm of one.

Everything is compared on random data of more numbers than unknowns, so that a fit to 1e-9 is not a coincidence.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import torch

from grader.checks.expect import EXACT, NEAR, gap

MAX_TERMS = 3
SLACK = 10.0  # of a first look at a sum, whose rounding errors are others


@dataclass(frozen=True)
class Sum:
    """`coefficients · terms`, and the largest deviation from the target."""

    terms: tuple[str, ...]
    coefficients: tuple[float, ...]
    residual: float

    @property
    def text(self) -> str:
        """As a formula: "x + F(Norm(x))", "2·x - F(x)"."""
        text = ""
        for coefficient, term in zip(self.coefficients, self.terms, strict=True):
            size = round(abs(coefficient), 4)
            sign = ("-" if coefficient < 0 else "") if not text else (" - " if coefficient < 0 else " + ")
            text += sign + (term if size == 1 else f"{size:g}·{term}")
        return text

    def coefficient(self, term: str) -> float:
        """The coefficient of a term, 0 when it is not there."""
        return dict(zip(self.terms, self.coefficients, strict=True)).get(term, 0.0)


def as_sum(target: torch.Tensor, terms: dict[str, torch.Tensor], tolerance: float = EXACT) -> Sum | None:
    """The sum of fewest terms that gives `target`, or None. Terms of another shape, or not finite, do not count."""
    if not bool(torch.isfinite(target).all()):
        return None
    usable = {name: t for name, t in terms.items() if t.shape == target.shape and bool(torch.isfinite(t).all())}
    wanted = target.double().flatten()
    columns = torch.stack([*(t.double().flatten() for t in usable.values()), wanted], 1)
    # A rotation changes no length: each choice of columns fits its triangle as well as it fits all the numbers.
    triangle = torch.linalg.qr(columns, mode="r").R
    enough = SLACK * tolerance * max(1.0, wanted.abs().max().item()) * math.sqrt(len(wanted)) if len(wanted) else 0.0
    for count in range(1, min(MAX_TERMS, len(usable)) + 1):
        choices = _choices(len(usable), count)
        parts, rest = triangle[:, choices].transpose(0, 1), triangle[:, -1:].expand(len(choices), -1, 1)
        left = (parts @ torch.linalg.lstsq(parts, rest).solution - rest).norm(dim=(1, 2))
        for choice in choices[left <= enough].tolist():
            solved = torch.linalg.lstsq(columns[:, choice], wanted[:, None]).solution[:, 0]
            residual = gap(columns[:, choice] @ solved, wanted)
            if residual <= tolerance and bool((solved.abs() > 1e-6).all()):
                names = tuple(list(usable)[at] for at in choice)
                return Sum(names, tuple(float(value) for value in solved), residual)
    return None


@cache
def _choices(among: int, count: int) -> torch.Tensor:
    """Every way to choose so many, a row each."""
    return torch.combinations(torch.arange(among), count)


# ---------------------------------------------------------------- norms


@dataclass(frozen=True)
class NormFound:
    """`target = normalised(argument) · weight + bias` per channel. `kind` is "layer" for the norm that is asked for."""

    kind: str
    eps: float
    weight: torch.Tensor
    bias: torch.Tensor
    residual: float

    def apply(self, x: torch.Tensor) -> torch.Tensor:
        """The layer norm that was found, on another tensor."""
        centred = x - x.mean(-1, keepdim=True)
        return centred * (centred.square().mean(-1, keepdim=True) + self.eps).rsqrt() * self.weight + self.bias


@dataclass(frozen=True)
class _Kind:
    name: str
    axes: tuple[int, ...]
    centred: bool = True
    unbiased: bool = False
    eps: float = 1e-5
    eps_on_deviation: bool = False


ROUGH = 0.05
LIKELY = 0.5  # how far any norm over the features may be from a layer norm, or one without a mean
ALIKE = 0.6  # or how often, beyond chance, it has to lie on the same side of its median as a layer norm
LAYER = _Kind("layer", (-1,))
# Families of norms that differ little within: the first of each stands for all when it does not come close.
FAMILIES = (
    (
        LAYER,
        *(_Kind("layer", (-1,), eps=eps) for eps in (1e-6, 1e-8, 1e-12, 1e-3, 1e-2, 0.1, 0.0)),
        *(_Kind("deviation", (-1,), unbiased=u, eps=eps, eps_on_deviation=True)
          for u in (True, False) for eps in (1e-5, 1e-6, 1e-8, 1e-3, 1e-2, 0.1)),
        *(_Kind("unbiased", (-1,), unbiased=True, eps=eps) for eps in (1e-5, 1e-6, 1e-8, 0.0)),
    ),
    tuple(_Kind("rms", (-1,), centred=False, eps=eps) for eps in (1e-5, 1e-6, 1e-8, 0.0)),
    tuple(_Kind("sequence", (-2,), unbiased=u) for u in (False, True)),
    tuple(_Kind("features and sequence", (-2, -1), unbiased=u) for u in (False, True)),
    tuple(_Kind("batch", (0, 1), unbiased=u) for u in (False, True)),
    tuple(_Kind("batch", (0,), unbiased=u) for u in (False, True)),
)  # fmt: skip


def as_norm(target: torch.Tensor, argument: torch.Tensor) -> NormFound | None:
    """`target` as a norm of `argument` with any weight and bias per channel, or None (also when they are equal, and for
    a constant, which would be a norm of anything with weight 0).

    The affine part is fitted, so it does not matter where the student keeps it, or whether there is one. A scale per
    channel alone reads as "batch", which in evaluation mode is what it is (statistics over everything look the same).
    What comes within 1e-3 of a layer norm, and is nothing else, is one: its eps is another.
    """
    if target.shape != argument.shape or target.dim() < 2 or gap(target, argument) <= NEAR:
        return None
    x, y = argument.double(), target.double()
    known = _Statistics(x)
    first = _fits(y, known, [LAYER])  # what is asked for is tried alone: most often it is what is found
    if (found := _exact(first)) is None:
        possible = [family for family in FAMILIES if _has_axes(x, family[0])]
        first += _fits(y, known, [family[0] for family in possible[1:]])
        near = [family for family, one in zip(possible, first, strict=True) if one.residual <= ROUGH]
        rest = [kind for family in near for kind in family[1:] if _has_axes(x, kind)]
        found = _exact(first) or _exact(_fits(y, known, rest))
    if found is not None:
        return found if bool((found.weight.abs() > 1e-6).any()) else None
    likely = any(one.residual <= LIKELY for one in first[:2]) or _same_sides(y, x)
    return _other_norm(y, x) if likely else None


def _has_axes(x: torch.Tensor, kind: _Kind) -> bool:
    """Whether a tensor has all these axes besides its features."""
    return all(axis == -1 or -x.dim() <= axis < x.dim() - 1 for axis in kind.axes)


def _fits(target: torch.Tensor, known: _Statistics, kinds: Sequence[_Kind]) -> list[NormFound]:
    """The target as each kind of norm of what these statistics are of."""
    bases = [known.normalised(kind) for kind in kinds]
    return _affine(target, bases, [(kind.name, kind.eps) for kind in kinds]) if kinds else []


def _exact(tried: Iterable[NormFound]) -> NormFound | None:
    """The first that gives the target."""
    return next((one for one in tried if one.residual <= EXACT), None)


def _same_sides(target: torch.Tensor, x: torch.Tensor) -> bool:
    """Whether each channel is large where a layer norm is, or small throughout: no matter by what rows are divided."""
    sides = [t.reshape(-1, t.shape[-1]) for t in (target, _Statistics(x).normalised(LAYER))]
    mine, theirs = (t >= t.median(0).values for t in sides)
    agree = (mine == theirs).double().mean(0)
    return bool((2 * agree - 1).abs().mean() >= ALIKE)


def _other_norm(target: torch.Tensor, x: torch.Tensor) -> NormFound | None:
    """A norm by another statistic, or one that comes close to a layer norm."""
    others = dict(enumerate(_other_norms(x)))
    for found in _affine(target, [base for _, base in others.values()], [(name, 0.0) for name, _ in others.values()]):
        if found.residual <= EXACT and bool((found.weight.abs() > 1e-6).any()):
            return found
    usual = _fits(target, _Statistics(x), [LAYER])[0]
    close = usual.residual * max(1.0, float(target.abs().max())) <= NEAR * float(target.std())
    return usual if close and bool((usual.weight.abs() > NEAR).any()) else None


def _other_norms(x: torch.Tensor) -> Iterator[tuple[str, torch.Tensor]]:
    """Ways to normalise that are not by the root of a variance."""
    centred = x - x.mean(-1, keepdim=True)
    for unbiased in (False, True):
        variance = x.var(-1, keepdim=True, unbiased=unbiased)
        for eps in (1e-5, 1e-6, 1e-8, 0.0):
            yield "variance", centred / (variance + eps)
    yield "absolute deviation", centred / centred.abs().mean(-1, keepdim=True)
    smallest, largest = x.amin(-1, keepdim=True), x.amax(-1, keepdim=True)
    yield "range", (x - smallest) / (largest - smallest)
    yield "largest", x / x.abs().amax(-1, keepdim=True)
    yield "sum", x / x.abs().sum(-1, keepdim=True)
    yield "centred", centred


class _Statistics:
    """One tensor, normalised in any way; what several ways need is computed once."""

    def __init__(self, x: torch.Tensor) -> None:
        self._x = x
        self._known: dict[tuple[object, ...], torch.Tensor] = {}

    def normalised(self, kind: _Kind) -> torch.Tensor:
        """As a norm of this kind gives it, without weight and bias."""
        if not kind.centred:
            return self._x * (self._once(_mean_square, kind.axes) + kind.eps).rsqrt()
        centred = self._once(_centred, kind.axes)
        if kind.eps_on_deviation:
            return centred / (self._once(_deviation, kind.axes, kind.unbiased) + kind.eps)
        return centred * (self._once(_variance, kind.axes, kind.unbiased) + kind.eps).rsqrt()

    def _once(self, function: Callable[..., torch.Tensor], *how: object) -> torch.Tensor:
        if (function, *how) not in self._known:
            self._known[function, *how] = function(self._x, *how)
        return self._known[function, *how]


def _mean_square(x: torch.Tensor, axes: tuple[int, ...]) -> torch.Tensor:
    return x.square().mean(axes, keepdim=True)


def _centred(x: torch.Tensor, axes: tuple[int, ...]) -> torch.Tensor:
    return x - x.mean(axes, keepdim=True)


def _variance(x: torch.Tensor, axes: tuple[int, ...], unbiased: bool) -> torch.Tensor:
    return x.var(axes, keepdim=True, unbiased=unbiased)


def _deviation(x: torch.Tensor, axes: tuple[int, ...], unbiased: bool) -> torch.Tensor:
    return _variance(x, axes, unbiased).sqrt()


def _affine(target: torch.Tensor, bases: Sequence[torch.Tensor], names: Sequence[tuple[str, float]]) -> list[NormFound]:
    """The target as `base · weight + bias` per channel, by least squares, for each base with its kind and eps."""
    wanted = target.reshape(-1, target.shape[-1])
    columns = torch.stack([base.reshape(wanted.shape) for base in bases])
    mean, middle = columns.mean(1, keepdim=True), wanted.mean(0)
    apart = columns - mean
    weight = (apart * (wanted - middle)).sum(1, keepdim=True) / apart.square().sum(1, keepdim=True).clamp_min(1e-30)
    bias = middle - weight * mean
    left = (columns * weight + bias - wanted).abs().amax((1, 2)) / max(1.0, wanted.abs().max().item())
    residuals = left.nan_to_num(nan=math.inf, posinf=math.inf).tolist()
    return [NormFound(name, eps, weight[at, 0], bias[at, 0], residuals[at]) for at, (name, eps) in enumerate(names)]


# ---------------------------------------------------------------- functions on a sum

ACTIVATIONS: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "relu": torch.relu,
    "gelu": lambda t: torch.nn.functional.gelu(t, approximate="tanh"),
    "gelu_erf": torch.nn.functional.gelu,
    "tanh": torch.tanh,
    "sigmoid": torch.sigmoid,
    "silu": torch.nn.functional.silu,
    "softmax": lambda t: torch.softmax(t, -1),
    "leaky_relu": torch.nn.functional.leaky_relu,
}


def sums(terms: dict[str, torch.Tensor]) -> Iterable[tuple[str, torch.Tensor]]:
    """Plain sums of one to three of the terms, shortest first."""
    for count in range(1, MAX_TERMS + 1):
        for names in itertools.combinations(terms, count):
            if len({terms[name].shape for name in names}) == 1:
                total = sum((terms[name] for name in names[1:]), terms[names[0]])
                yield " + ".join(names), total


def as_activation(target: torch.Tensor, terms: dict[str, torch.Tensor]) -> tuple[str, str, float] | None:
    """(activation, inner formula, residual) when the target is an activation of a plain sum of terms."""
    for inner, value in sums(terms):
        for name, function in ACTIVATIONS.items():
            if value.shape == target.shape and (residual := gap(function(value.double()), target.double())) <= EXACT:
                return name, inner, residual
    return None
