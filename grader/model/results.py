"""How checks ended: verdicts as values, and everything that explains them."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

Verdict = Literal[
    "passed", "partial", "failed", "raised", "timed_out", "out_of_memory", "crashed", "not_run", "needs_review",
    "grader_error",
]  # fmt: skip
Visibility = Literal["visible", "hidden"]


class Formula(msgspec.Struct, frozen=True):
    """The formula that the student's code computes beside the one asked for.

    `found` is None when it is not one we know; `residual` is a bound on the deviation of `found` from the
    student's numbers, a power of ten; `half` names the part of a block ("attn", "ffn") where that makes sense.
    """

    found: str | None
    expected: str
    residual: float | None = None
    half: str | None = None


class Where(msgspec.Struct, frozen=True):
    """A place in the student's file. `cell` counts the code cells of a notebook from 1; `line` is within the cell."""

    file: str
    line: int
    cell: int | None = None
    code: str = ""


class CheckResult(msgspec.Struct, frozen=True):
    """One check of one submission. All sentences are for the student, except `staff_note`."""

    name: str
    title: str
    concept: str
    visibility: Visibility
    verdict: Verdict
    points: float
    max_points: float
    tag: str | None = None
    happened: str = ""
    expected: str = ""
    hints: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    evidence: dict[str, Any] = {}
    formula: Formula | None = None
    where: Where | None = None
    staff_note: str = ""
    printed: str = ""
    seconds: float = 0.0


class Printed(msgspec.Struct, frozen=True):
    """What the student's code wrote to stdout and stderr: the first and last part, and how much it was in all."""

    head: str = ""
    tail: str = ""
    characters: int = 0


class ExerciseResult(msgspec.Struct, frozen=True):
    """All checks of one exercise. `printed` is what was printed while loading and in visible checks."""

    name: str
    title: str
    checks: tuple[CheckResult, ...]
    remarks: tuple[str, ...] = ()
    printed: Printed = Printed()
    load_seconds: float = 0.0

    @property
    def points(self) -> float:
        """The sum of the checks."""
        return sum(check.points for check in self.checks)

    @property
    def lost(self) -> bool:
        """Whether any check earned less than it could."""
        return any(check.points < check.max_points for check in self.checks)
