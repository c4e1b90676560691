"""Saying what was found and what was asked for: the only ways in which a check ends without full marks."""

from __future__ import annotations

import math
from typing import Any, NoReturn

import torch

from grader.checks.explain import shown
from grader.model.results import Formula
from grader.sandbox.worker import messages as m

EXACT = 1e-9
NEAR = 1e-3
PRECISION = {torch.float64: EXACT, torch.float32: 1e-4, torch.bfloat16: 3e-2, torch.float16: 3e-3}


class CheckFailed(Exception):
    """A check that is not passed, in words for the student. `earned` is the share of its points that is kept."""

    def __init__(self, happened: str, expected: str, tag: str, **details: Any) -> None:
        super().__init__(happened)
        self.happened, self.expected, self.tag = happened, expected, tag
        self.formula: Formula | None = details.pop("formula", None)
        self.evidence: dict[str, Any] = details.pop("evidence", {})
        self.earned: float = details.pop("earned", 0.0)
        self.staff_note: str = details.pop("staff_note", "")
        if details:
            raise TypeError(f"unknown details {sorted(details)}")


def fail(happened: str, *, expected: str, tag: str, **details: Any) -> NoReturn:
    """End the check. `tag` is of the vocabulary; `details`: formula, evidence, earned, staff_note (see CheckFailed)."""
    raise CheckFailed(happened, expected, tag, **details)


def gap(actual: Any, wanted: torch.Tensor) -> float:
    """The largest deviation, relative to the size of `wanted` (at least 1). Infinite for another shape and for NaN."""
    if not isinstance(actual, torch.Tensor) or actual.shape != wanted.shape:
        return float("inf")
    if not wanted.numel():
        return 0.0
    found, asked = actual.detach().double(), wanted.detach().double()
    difference = (found - asked).abs().max().item()
    return float("inf") if math.isnan(difference) else difference / max(1.0, asked.abs().max().item())


def tolerance(actual: torch.Tensor) -> float:
    """How exact a result of this dtype can be."""
    return PRECISION.get(actual.dtype, EXACT)


def same(actual: Any, wanted: torch.Tensor) -> bool:
    """Equal as far as the dtype of `actual` allows (1e-9 in float64)."""
    return isinstance(actual, torch.Tensor) and gap(actual, wanted) <= tolerance(actual)


class NeedsReview(Exception):
    """A check that can be decided neither way from outside: the points stay until a person has looked."""

    def __init__(self, happened: str, expected: str, staff_note: str = "") -> None:
        super().__init__(happened)
        self.happened, self.expected, self.staff_note = happened, expected, staff_note


def cannot_tell(happened: str, *, expected: str, staff_note: str = "") -> NoReturn:
    """End the check undecided. `happened` says to the student what could not be looked at, `staff_note` what to do."""
    raise NeedsReview(happened, expected, staff_note)


class Expectation:
    """One value under test."""

    def __init__(self, actual: Any) -> None:
        self._actual = actual

    def to_have_shape(self, shape: tuple[int, ...], *, given: str) -> None:
        """A tensor of that shape. `given` names the input in the sentence, e.g. "an input of shape (2, 5, 8)"."""
        if not isinstance(self._actual, torch.Tensor):
            fail(
                f"For {given} your code returned {described(self._actual)}.", expected="One tensor.", tag="wrong-return"
            )
        if tuple(self._actual.shape) != tuple(shape):
            fail(
                f"For {given} your code returned shape {tuple(self._actual.shape)}.",
                expected=f"The shape {tuple(shape)}.",
                tag="wrong-return",
            )

    def to_equal(self, wanted: torch.Tensor, *, happened: str, expected: str, tag: str) -> bool:
        """The same numbers. Returns False when they are equal only nearly (1e-3): the caller may add a remark."""
        if isinstance(self._actual, torch.Tensor) and (distance := gap(self._actual, wanted)) <= NEAR:
            return distance <= tolerance(self._actual)
        fail(happened, expected=expected, tag=tag)

    def to_be(self, formula: str) -> None:
        """An identified formula that reads exactly so."""
        found = self._actual
        if found.text == formula:
            return
        if found.text is None:
            happened = "Your block computes something that is not a formula we know."
        else:
            happened = f"Your block computes {found.text}."
        fail(
            happened,
            expected=f"The block should compute {formula}.",
            tag=found.tag or "unknown-formula",
            formula=Formula(found.text, formula, found.residual, found.half),
        )


def expect(actual: Any) -> Expectation:
    """`expect(identify(block, x, probe)).to_be("x + F(Norm(x))")`."""
    return Expectation(actual)


def described(value: object) -> str:
    """What a value is, in words: "None", "a tuple of 2", "text", "a tensor of shape (2, 3)"."""
    if value is None:
        return "None (is a `return` missing?)"
    if isinstance(value, torch.Tensor):
        return f"a tensor of shape {tuple(value.shape)}"
    if isinstance(value, list | tuple | dict):
        kind = "dictionary" if isinstance(value, dict) else type(value).__name__
        return f"a {kind} of {len(value)} values"
    if isinstance(value, str):
        return "text"
    if isinstance(value, bool | int | float):
        return "a number"
    if isinstance(value, m.Opaque):
        kind = shown(value.type, "hidden")  # a class can be named after what it was given
        return f"an {kind}" if kind[:1].lower() in tuple("aeio") else f"a {kind}"
    return "a module"
