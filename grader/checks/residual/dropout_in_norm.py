"""Seeing dropout through the norm of a sum: `Norm(x + Dropout(F(x)))`.

The sublayer returns zeros for the first half of the features: what dropout does to the branch does not show there, so
each row's mean and deviation can be read off them, and the norm undone for the other half. Where elements of the first
half are dropped, too, they share one value. A norm hides by what a whole sum was multiplied.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import torch

from grader.checks.expect import EXACT, fail, gap
from grader.checks.probe import Probe
from grader.checks.residual.combine import as_norm
from grader.checks.residual.dropout import CLOSE, SAME, Dropped, dropped
from grader.checks.residual.dropout_rules import DroppedHalf, blame_dropout
from grader.checks.student import Remote
from grader.model.results import Formula

FEWEST_ROWS = 20


def constant_probe(value: float) -> Probe:
    """A sublayer that returns zeros for the first half of the features and `value` for the others."""
    return Probe(lambda h: torch.cat([0.0 * t + at for t, at in zip(h.chunk(2, -1), (0.0, value), strict=True)], -1))


def find_dropout_in_norm(block: Remote, x: torch.Tensor, branch: float) -> Dropped | None:
    """Where dropout acts in training below the norm, for a block around `constant_probe(branch)`.

    None where elements are dropped above the norm. "hidden" where it is no norm of the sum in evaluation mode.
    """
    added = torch.cat([torch.zeros_like(t) + at for t, at in zip(x.chunk(2, -1), (0.0, branch), strict=True)], -1)
    norm = as_norm(block.eval()(x), x + added)
    if norm is None or norm.kind != "layer":
        return Dropped("hidden")
    output = block.train()(x)
    if output.shape != x.shape:
        return Dropped("unknown")
    if int((output == 0).sum()) > 0:
        return None
    exact = norm.residual <= EXACT  # else it is one with another eps, whose scale and shift are those of a new norm
    rows = ((output - norm.bias) / norm.weight if exact else output).reshape(-1, x.shape[-1])
    known, rest = x.reshape(-1, x.shape[-1]).chunk(2, -1)
    first, second = rows.chunk(2, -1)
    usable, undone = _undone(first, second, known)
    if int(usable.sum()) < FEWEST_ROWS or bool((rows.mean(-1).abs() > CLOSE).any()):
        return Dropped("unknown")
    return dropped(undone[usable], rest[usable], branch)


def _undone(rows: torch.Tensor, others: torch.Tensor, known: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """`others` before the norm, where `rows` show what it made of `known`, and in which rows they do.

    Elements that were dropped share one value, what the norm made of zero. Where no two do, none may have been dropped.
    """
    ordered = rows.sort(-1).values
    distance, at = ordered.diff(dim=-1).min(-1, keepdim=True)
    centred = known - known.mean(-1, keepdim=True)
    line = (rows * centred).sum(-1, keepdim=True) / centred.square().sum(-1, keepdim=True)
    zero = torch.where(
        distance < SAME, ordered.gather(-1, at), rows.mean(-1, keepdim=True) - line * known.mean(-1, keepdim=True)
    )
    kept = ((rows - zero).abs() > CLOSE).double()
    slopes = (rows - zero) / known
    slope = (slopes * kept).sum(-1, keepdim=True) / kept.sum(-1, keepdim=True)
    usable = ((slopes - slope).abs() * kept).amax(-1) <= CLOSE * slope[:, 0].abs()
    return usable, (others - zero) / slope


@dataclass(frozen=True)
class DroppedInNorm:
    """A block asked for as `Norm(x + Dropout(F(x)))`, as it was seen in training.

    `above`: elements of what the norm made are dropped.
    """

    half: DroppedHalf
    above: bool = False

    @property
    def tag(self) -> str | None:
        """What is wrong with it; None for inverted dropout of the asked rate on the branch alone."""
        if self.above:
            return "dropout-on-sum"
        return "unknown-formula" if self.half.known and self.half.place == "unknown" else self.half.tag

    @property
    def text(self) -> str | None:
        """Its formula in training, None where that is not known."""
        if self.above:
            return f"Dropout(Norm({self.half.base} + {self.half.branch}))"
        text = self.half.text
        if text is not None and any(one.skip.found or one.sum.found for one in self.half.seen.values()):
            text = re.sub(r"mask·(?:\((.*)\)|(F\(x\)|x))", r"Dropout(\1\2)", text)  # by what, the norm hides
        return text and f"Norm({text})"

    def expect(self) -> None:
        """Dropout as asked for. What cannot be seen passes: that is another formula, which has its own check."""
        formula = Formula(self.text, f"Norm({self.half.asked})")
        if self.above:
            fail(
                "Dropout acts on what the norm made of the sum, so the shortcut is dropped too.",
                expected=self.half.expected(),
                tag="dropout-on-sum",
                formula=formula,
            )
        if self.tag == "unknown-formula":
            fail(
                "In training, your block computes something that is not a formula we know.",
                expected=self.half.expected(),
                tag="unknown-formula",
                formula=formula,
            )
        if self.tag is not None:
            blame_dropout(self.half, formula)


def dropout_in_norm(
    build: Callable[..., Remote], x: torch.Tensor, rates: Mapping[float, tuple[float, ...]]
) -> DroppedInNorm:
    """What `build(sublayer, *arguments)` drops in training, at each rate with the arguments that give it."""
    seen, inside = {}, None
    for rate, arguments in rates.items():
        probe = constant_probe(3.0)
        found = find_dropout_in_norm(build(probe, *arguments), x, 3.0)
        if found is None:
            return DroppedInNorm(DroppedHalf({}, branch="F(x)"), above=True)
        seen[rate] = found
        if len(probe.calls) > 1 and _thinned(probe.calls[-1].input, probe.calls[0].input):
            inside = "F(Dropout(x))"
    return DroppedInNorm(DroppedHalf(seen, branch="F(x)", inside=inside))


def _thinned(after: torch.Tensor, before: torch.Tensor) -> bool:
    """Whether some elements are zero now, and all others are what they were, times one factor."""
    if after.shape != before.shape or not bool((after == 0).any()):
        return False
    kept = (after / before)[after != 0]
    return kept.numel() > 0 and gap(kept, kept.median().expand_as(kept)) <= CLOSE
