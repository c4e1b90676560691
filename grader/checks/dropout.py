"""Recognising dropout from numbers: where it acts, when, and at which rate.

The sublayer returns a constant, so that every element of the output shows whether it was dropped, and what a kept one
was multiplied with. The rate is judged by Hoeffding's inequality: of n elements, the dropped share deviates from the
rate by more than √(ln(2/α) / 2n) with a probability of at most α, here 1e-10.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import torch

from grader.checks.expect import fail, same
from grader.checks.student import Remote

FALSE_ALARM = 1e-10
CLOSE = 1e-6

Place = Literal["nowhere", "branch", "sum", "skip", "unknown", "hidden"]


def deviation(count: int) -> float:
    """How far the mean of `count` independent numbers from [0, 1] may be from its expectation (see above)."""
    return math.sqrt(math.log(2 / FALSE_ALARM) / (2 * count))


@dataclass(frozen=True)
class Dropped:
    """What was found: where elements were dropped, their share, and the factor on those that were kept."""

    place: Place
    share: float = 0.0
    factor: float = 1.0
    numbers: int = 0

    @property
    def rate(self) -> float:
        """The rate that the factor of inverted dropout stands for."""
        return 1 - 1 / self.factor

    def has_rate(self, rate: float) -> bool:
        """Whether the share of dropped elements is that of `rate` (false alarm at most 1e-10)."""
        return abs(self.share - rate) <= deviation(max(1, self.numbers))


def find_dropout(module: Remote, x: torch.Tensor, branch: float) -> Dropped:
    """Where dropout acts in training, for a module that returns `x` plus a constant branch in evaluation mode.

    "hidden" if it returns something else there: then it computes another formula, which has its own check, and where
    its dropout acts cannot be seen this way.
    """
    constant = torch.full_like(x, branch)
    if not same(module.eval()(x), x + constant):
        return Dropped("hidden")
    output = module.train()(x)
    if output.shape != x.shape:
        return Dropped("unknown")
    if _close(output, x + constant):
        return Dropped("nowhere")
    tries: tuple[tuple[Place, torch.Tensor, torch.Tensor], ...] = (
        ("branch", output - x, constant),
        ("sum", output, x + constant),
        ("skip", output - constant, x),
    )
    for place, part, whole in tries:
        zero = part.abs() < CLOSE
        kept = (part / whole)[~zero]
        if zero.any() and kept.numel() and _close(kept, kept.median().expand_as(kept)):
            return Dropped(place, float(zero.double().mean()), float(kept.median()), part.numel())
    return Dropped("unknown")


def _close(a: torch.Tensor, b: torch.Tensor) -> bool:
    return bool(((a - b).abs() < CLOSE).all())


def expect_dropout(
    found: Dropped, rate: float, input_changed: bool = False, *, on: str = "the sublayer's result"
) -> None:
    """Inverted dropout of that rate on the branch only; `on` names the branch.

    `input_changed`: in training the sublayer got something else than in evaluation mode.
    """
    if found.place == "hidden":
        return
    asked = f"In training, dropout with the given rate on {on}, before the sum."
    if found.place == "nowhere":
        if input_changed:
            fail(
                "In training, your code drops elements before the sublayer.", expected=asked, tag="dropout-wrong-place"
            )
        fail(f"In training, nothing is dropped from {on}.", expected=asked, tag="missing-dropout")
    if found.place == "sum":
        fail("Dropout acts on the sum, so the shortcut is dropped too.", expected=asked, tag="dropout-on-sum")
    if found.place == "skip":
        fail("Dropout acts on the shortcut.", expected=asked, tag="dropout-on-skip")
    if found.place == "unknown":
        fail(
            "In training, the output is not the input plus what dropout left of the sublayer's result.",
            expected=asked,
            tag="dropout-wrong-place",
        )
    if abs(found.factor - 1) < CLOSE:
        fail(
            "Dropout does not scale up what it keeps.",
            expected="Kept elements divided by 1 - rate, as nn.Dropout does.",
            tag="wrong-scale",
        )
    if not found.has_rate(rate) or abs(found.factor - 1 / (1 - rate)) > CLOSE * found.factor:
        fail(
            f"With a rate of {rate:g}, your code dropped {found.share:.0%} of the elements and multiplied the rest "
            f"with {found.factor:.3f}.",
            expected=f"A rate of {rate:g}: kept elements times {1 / (1 - rate):.3f}.",
            tag="dropout-rate-ignored",
        )
