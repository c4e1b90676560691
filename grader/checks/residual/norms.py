"""What a layer norm is like: a number for each feature that is trained, and nothing else when it is new."""

from __future__ import annotations

import torch

from grader.checks.expect import fail, gap
from grader.checks.residual.combine import NormFound
from grader.model.results import Formula

ALIKE = 1e-3


def is_trained(values: torch.Tensor) -> bool:
    """Whether a scale or shift has a number of its own for each feature, after all parameters were drawn anew."""
    return gap(values, values.mean().expand_as(values)) > 1e-6


def expect_plain_norm(found: NormFound, *, formula: str = "x + F(Norm(x))", norm: str = "Norm(x)") -> None:
    """A new norm multiplies by one: another factor for all features stands outside the norm, and is not asked for."""
    scale = float(found.weight.mean())
    if gap(found.weight, torch.full_like(found.weight, scale)) <= ALIKE and abs(scale - 1) > ALIKE:
        fail(
            f"What goes into the sublayer is {scale:.3g} times the norm.",
            expected=f"{norm}, as it is.",
            tag="wrong-scale",
            formula=Formula(formula.replace(norm, f"{scale:.3g}·{norm}"), formula),
        )
