"""Naming what a gated layer computes, from the operations of one forward pass: gate, transform, and how they are mixed.

Used to explain, once the numbers have shown that a layer is no highway layer (see `highway`). Every tensor that was
made on the way may be the gate T or the transform H, if it is a known function of a linear map; the result is then a
sum of x, H, T·x and T·H. Outside of that the answer is "not a formula we know".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import permutations, product

import torch

from grader.checks.expect import EXACT, gap, tolerance
from grader.checks.residual.combinations import linear_residual
from grader.checks.residual.combine import ACTIVATIONS, as_norm
from grader.checks.residual.graph import Graph
from grader.checks.residual.half import Identified
from grader.checks.student import Remote

HIGHWAY = "T·H(x) + (1 - T)·x"
CLOSE = 1e-6  # of coefficients
FUNCTIONS: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {**ACTIVATIONS, "": lambda t: t}
LIKELY_H = {
    name: at
    for at, name in enumerate(sorted(FUNCTIONS, key=lambda name: (name != "relu", name == "sigmoid", not name)))
}


@dataclass(frozen=True)
class _Made:
    """A tensor that was made on the way, as a function of a linear map `inner` of the input `of`."""

    value: torch.Tensor
    inner: torch.Tensor
    function: str
    of: str = "x"

    @property
    def text(self) -> str:
        """How it reads: "tanh(W·x + b)", with a small w where it is one number for all features."""
        return f"{self.function.replace('gelu_erf', 'gelu')}({'W' if self.inner.shape[-1] > 1 else 'w'}·{self.of} + b)"

    @property
    def is_gate(self) -> bool:
        """Whether it is what a gate should be."""
        return (self.function, self.of, self.inner.shape[-1] > 1) == ("sigmoid", "x", True)


@dataclass(frozen=True)
class _Mix:
    """`(own + own_gated·T)·x + (made + made_gated·T)·H`."""

    own: float
    made: float
    own_gated: float
    made_gated: float
    residual: float

    @property
    def text(self) -> str:
        """As a formula, H first."""
        parts = [_term(self.made, self.made_gated, "H(x)"), _term(self.own, self.own_gated, "x")]
        text = " + ".join(part for part in parts if part) or "0"
        return text.replace("+ -", "- ")

    @property
    def tag(self) -> str | None:
        """What is wrong with it; None for a highway layer."""
        own, made = (self.own, self.own_gated), (self.made, self.made_gated)
        if own == (0, 0):
            return "missing-skip"
        if made == (0, 0):
            return "sublayer-unused"
        known: dict[object, str | None] = {
            ((1, -1), (0, 1)): None,
            ((0, 1), (1, -1)): "gate-inverted",
            ((-1, 1), (0, 1)): "wrong-combine",
        }
        return known.get((own, made), "wrong-scale" if self.own_gated or self.made_gated else "wrong-gate")


def identify_gated(layer: Remote, x: torch.Tensor) -> Identified:
    """The formula of `layer(x)`, for an input (rows, dim) with more than four times as many rows as features."""
    graph = Graph.of(layer, x)
    end = graph.operations[graph.end].result if graph is not None else None
    if graph is None or not isinstance(end, torch.Tensor) or end.shape != x.shape:
        return Identified(None)
    seen = [one for at in sorted(graph.dependent) if (one := _on_rows(graph.operations[at].result, x)) is not None]
    made = list(_of_linear(seen, "x", x))
    transforms = sorted((one for one in made if one.value.shape == x.shape), key=lambda one: LIKELY_H[one.function])
    later = (two for one in transforms if one.function == "relu" for two in _of_linear(seen, "H(x)", one.value))
    gates = sorted((*made, *later), key=lambda one: (not one.is_gate, not one.function))
    cast = [(None, one) for one in seen if end.dtype != torch.float64 and gap(one, end) <= tolerance(end)]
    for outside, target in (*cast, (None, end.double()), *_outside(seen, end.double())):
        if (found := _mixed(target, x, transforms, gates)) is not None:
            return found if outside is None else Identified(f"{outside}({found.text})", "extra-op", found.residual)
    return Identified(None)


def _on_rows(value: object, x: torch.Tensor) -> torch.Tensor | None:
    """What has a number for each row, or for each feature of each row."""
    if not isinstance(value, torch.Tensor) or value.shape not in (x.shape, (len(x), 1)):
        return None
    return value.double() if bool(torch.isfinite(value).all()) else None


def _of_linear(seen: list[torch.Tensor], name: str, source: torch.Tensor) -> Iterator[_Made]:
    """All that are a known function of a linear map of the source."""
    others = [one for one in seen if gap(one, source) > EXACT]
    inner = [one for one in others if linear_residual(one, source) <= EXACT]
    for value, one in product(others, inner):
        fitting = (n for n, function in FUNCTIONS.items() if gap(function(one), value) <= EXACT)
        if (function := next(fitting, None)) is not None:
            yield _Made(value, one, function, name)


def _outside(seen: list[torch.Tensor], end: torch.Tensor) -> Iterator[tuple[str, torch.Tensor]]:
    """What the result is an activation or a norm of."""
    for one in reversed(seen):
        if one.shape == end.shape and gap(one, end) > EXACT:
            yield from ((n, one) for n, function in ACTIVATIONS.items() if gap(function(one), end) <= EXACT)
            if (norm := as_norm(end, one)) is not None:
                yield "Norm" if norm.kind == "layer" else "scale·" if norm.kind == "batch" else "norm", one


def _mixed(target: torch.Tensor, x: torch.Tensor, transforms: list[_Made], gates: list[_Made]) -> Identified | None:
    for made in transforms:
        if (mix := _fitted(target, x, made.value, None)) is not None:
            return _named(mix, made, None)
    for gate, made in product(gates, transforms):
        if gate.value is not made.value and (mix := _fitted(target, x, made.value, gate.value)) is not None:
            return _named(mix, made, gate)
    for made, (one, two) in product(transforms, permutations((gate for gate in gates if gate.is_gate), 2)):
        if (residual := gap(one.value * made.value + two.value * x, target)) <= EXACT:
            return Identified("T·H(x) + C·x, C = sigmoid(W'·x + b')", "wrong-gate", residual)
    return None


def _fitted(target: torch.Tensor, x: torch.Tensor, made: torch.Tensor, gate: torch.Tensor | None) -> _Mix | None:
    terms = [x, made] if gate is None else [x, made, gate * x, gate * made]
    columns = torch.stack([term.flatten() for term in terms], 1)
    solved = torch.linalg.lstsq(columns, target.flatten()[:, None], driver="gelsd").solution[:, 0]
    residual = gap(columns @ solved, target.flatten())
    if residual > EXACT:
        return None
    numbers = [round(one, 4) + 0.0 if abs(one - round(one)) > CLOSE else float(round(one)) for one in solved.tolist()]
    own, made_alone, own_gated, made_gated = (*numbers, 0.0, 0.0)[:4]
    return _Mix(own, made_alone, own_gated, made_gated, residual)


def _named(mix: _Mix, made: _Made, gate: _Made | None) -> Identified:
    """With what T and H are, where they are not what they should be."""
    text, tag = mix.text, mix.tag
    if made.function != "relu":
        text = text.replace("H(x)", made.text)
        tag = tag or ("wrong-activation" if made.function else "missing-activation")
    if gate is not None and not gate.is_gate:
        text, tag = f"{text}, T = {gate.text}", tag or "wrong-gate"
    if gate is not None and gap(gate.inner, made.inner) <= EXACT:
        tag = tag or "shared-layer"
    return Identified(text, tag, mix.residual)


def _term(alone: float, gated: float, of: str) -> str:
    """A product such as "(1 - T)·x"; nothing where both factors are zero."""
    if not gated:
        return "" if not alone else of if alone == 1 else f"-{of}" if alone == -1 else f"{alone:g}·{of}"
    gate = "T" if abs(gated) == 1 else f"{abs(gated):g}·T"
    if not alone:
        return f"{'-' if gated < 0 else ''}{gate}·{of}"
    return f"({alone:g} {'-' if gated < 0 else '+'} {gate})·{of}"
