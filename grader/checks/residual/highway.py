"""Highway layers read from numbers alone: `T·H(x) + (1 - T)·x` with a sigmoid gate T and a ReLU layer H.

Where H is zero, the output divided by the input is 1 - T, and the logit of that is linear in the input. So the gate is
fitted in a small neighbourhood in which that holds, and everything else follows from it: no parameter, name or
operation of the student's code is looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from grader.checks.draw import Draw
from grader.checks.expect import fail, gap
from grader.checks.residual.gated import HIGHWAY
from grader.checks.residual.half import Identified
from grader.checks.student import Remote
from grader.model.results import Formula

PLACES, NEAR = 96, 0.1  # neighbourhoods, and how far their inputs are from each other
FITS = 1e-8  # a logit that is linear in a neighbourhood
HOLDS = 1e-6  # what follows from it elsewhere, where small gates divide
TRIES, SAME, MOVED = 6, 1e-6, 1e-3  # of what is read from the numbers
SMALL = 0.05  # inputs below which a quotient tells little


@dataclass(frozen=True)
class Affine:
    """`x @ weight + bias`."""

    weight: torch.Tensor
    bias: torch.Tensor


@dataclass(frozen=True)
class Highway:
    """A highway layer: its gate, and what its ReLU acts on.

    `alive` features have an H that is not zero on every input; `transform` is known where all have.
    """

    gate: Affine
    transform: Affine | None
    alive: int


def places(draw: Draw, dim: int) -> torch.Tensor:
    """Inputs (neighbourhoods, rows, dim) on which a layer can be read."""
    centres = 2.0 * draw.normal(PLACES, 1, dim)
    return centres + NEAR * draw.normal(PLACES, 2 * (dim + 2), dim)


def as_highway(output: torch.Tensor, x: torch.Tensor) -> Highway | None:
    """The highway layer that makes `output` of the inputs `x` (from `places`), None where none does."""
    output = output.double()
    if output.shape != x.shape or not bool(torch.isfinite(output).all()):
        return None
    found = [_feature(output[..., at], x, x[..., at]) for at in range(x.shape[-1])]
    known = [one for one in found if one is not None]
    if len(known) < len(found):
        return None
    gates, transforms = zip(*known, strict=True)
    alive = [one for one in transforms if one is not None]
    return Highway(_joined(gates), _joined(alive) if len(alive) == len(known) else None, len(alive))


def _joined(columns: Sequence[torch.Tensor]) -> Affine:
    table = torch.stack(list(columns), -1)
    return Affine(table[:-1], table[-1])


def _feature(
    output: torch.Tensor, x: torch.Tensor, own: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor | None] | None:
    """Weights and bias, in one column, of gate and transform of one feature whose input is `own`."""
    columns = torch.cat([x, torch.ones_like(x[..., :1])], -1)
    carried = output / own
    silent = ((carried > 0) & (carried < 1) & (own.abs() > SMALL)).all(-1)
    logits = torch.where(silent[:, None], -torch.logit(carried), 0.0)
    fits = torch.linalg.lstsq(columns, logits[..., None]).solution[..., 0]
    deviations = ((columns @ fits[..., None])[..., 0] - logits).abs().amax(-1)
    for at in torch.where(silent & (deviations <= FITS))[0].tolist():
        gate = torch.sigmoid(columns @ fits[at])
        made = (output - (1 - gate) * own) / gate
        if (transform := _rectified(made.flatten(), columns.flatten(0, 1))) is not None:
            return fits[at], transform if bool(transform.any()) else None
    return None


def _rectified(made: torch.Tensor, columns: torch.Tensor) -> torch.Tensor | None:
    """The column of an affine map whose ReLU is `made`; zeros where that is zero throughout."""
    alive = made > HOLDS
    if not bool(alive.any()):
        return torch.zeros_like(columns[0]) if gap(made, torch.zeros_like(made)) <= HOLDS else None
    if int(alive.sum()) <= 2 * columns.shape[-1]:
        return None
    column: torch.Tensor = torch.linalg.lstsq(columns[alive], made[alive][:, None], driver="gelsd").solution[:, 0]
    return column if gap(torch.relu(columns @ column), made) <= HOLDS else None


# A layer that can be asked again and again ----------------------------------------------------------------------------


def read(layer: Remote, draw: Draw, dim: int) -> Highway | None:
    """The highway layer that this one is; None where its numbers show none (then perhaps on other inputs)."""
    x = places(draw, dim)
    return as_highway(layer(x), x)


def randomise(layer: Remote, draw: Draw) -> None:
    """Draw all parameters anew, whatever they were: a gate that starts closed is opened."""
    shapes = {name: value.shape for name, value in layer.parameters().items()}
    layer.assign({name: draw.normal(*shape) / [1, *shape][-1] ** 0.5 for name, shape in shapes.items()})


def read_random(layer: Remote, draw: Draw, dim: int) -> Highway | None:
    """As `read`, with random parameters, tried again where H is zero nowhere, or everywhere."""
    for _ in range(TRIES):
        randomise(layer, draw)
        found = read(layer, draw, dim)
        if found is not None and found.transform is not None:
            return found
    return None


def expect_own_maps(layer: Remote, found: Highway, draw: Draw, named: Identified) -> None:
    """Gate and transform have a linear map each, with weights and a bias for each feature, and share nothing.

    `found` is what `layer` is with random parameters; `named` is its formula as it shows in its operations.
    """
    again = read_random(layer, draw, found.gate.weight.shape[0]) or found
    for what, tag, part, other in (
        ("the gate", "wrong-gate", found.gate, again.gate),
        ("H", "wrong-sublayer", found.transform, again.transform),
    ):
        if part is not None and other is not None:
            formula = Formula(named.text, HIGHWAY) if named.tag == tag else None
            _expect_whole(what, tag, part, other, formula)
            single = any(value.numel() == 1 for value in layer.parameters().values())
            if gap(part.bias, torch.zeros_like(part.bias)) <= SAME or (single and _is_even(part.bias)):
                fail(f"The linear map of {what} has no bias for each feature.",
                     expected="A weight and a bias for both maps.", tag="missing-bias")  # fmt: skip
    if found.transform is not None and gap(found.gate.weight, found.transform.weight) <= SAME:
        fail("The gate and H share one linear map.", expected="A linear map for each of them.", tag="shared-layer")
    _expect_apart(layer, again, draw)


def _expect_whole(what: str, tag: str, part: Affine, other: Affine, formula: Formula | None) -> None:
    """All weights are used, and not for all features the same; `other` is the same map with other parameters."""
    largest = torch.maximum(part.weight.abs(), other.weight.abs())
    happened = None
    if bool((largest <= SAME).any()):
        happened = f"In the linear map of {what}, a feature does not depend on all features of the input."
    elif _is_even(part.weight):
        happened = f"The linear map of {what} gives one number for all features."
    if happened is not None:
        fail(happened, expected="A linear map from `dim` to `dim` features.", tag=tag, formula=formula)


def _is_even(values: torch.Tensor) -> bool:
    return gap(values, values.mean(-1, keepdim=True).expand_as(values)) <= SAME


def _expect_apart(layer: Remote, before: Highway, draw: Draw) -> None:
    """No weight changes both the gate and H; `before` is what the layer is now."""
    for name, value in layer.parameters().items():
        for at in {0, value.numel() - 1} if value.dim() > 1 else ():
            changed = value.flatten().clone()
            changed[at] += 0.5
            layer.assign({name: changed.reshape(value.shape)})
            after = read(layer, draw, before.gate.weight.shape[0])
            layer.assign({name: value})
            if after is None or before.transform is None or after.transform is None:
                continue
            moved = (gap(after.gate.weight, before.gate.weight), gap(after.transform.weight, before.transform.weight))
            if min(moved) > MOVED:
                fail("A weight of H changes the gate, too: T is computed from what becomes H, not from x.",
                     expected="T = sigmoid(W_T x + b_T), with a linear map of its own on x.",
                     tag="wrong-gate")  # fmt: skip
