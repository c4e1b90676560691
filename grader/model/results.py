"""How checks ended: verdicts as values, and everything that explains them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

AROUND, FRAME_WIDTH = 3, 200  # lines before and after a place that are shown with it, and characters of each

Verdict = Literal[
    "passed", "partial", "failed", "raised", "timed_out", "out_of_memory", "crashed", "not_run", "needs_review",
    "grader_error",
]  # fmt: skip
Visibility = Literal["visible", "hidden", "after_deadline"]


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
    """A place in the student's file. `cell` counts the code cells of a notebook from 1; `line` is within the cell.

    `frame` are the lines around it as they were handed in, from the line `frame_starts` on; none where it is 0.
    """

    file: str
    line: int
    cell: int | None = None
    code: str = ""
    frame: str = ""
    frame_starts: int = 0

    @classmethod
    def among(cls, lines: Sequence[str], file: str, cell: int | None, line: int) -> Where:
        """The place with what stands there; `lines` are all lines of the file or cell, `line` is one of them."""
        first = max(line - AROUND, 1)
        frame = "\n".join(one.rstrip()[:FRAME_WIDTH] for one in lines[first - 1 : line + AROUND])
        return cls(file, line, cell, lines[line - 1].strip()[:FRAME_WIDTH], frame, first)


class CheckResult(msgspec.Struct, frozen=True):
    """One check of one submission. All sentences are for the student, except `staff_note`.

    `part` is the part of the exercise that it looks at.
    """

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
    why: str = ""
    remarks: tuple[str, ...] = ()
    evidence: dict[str, Any] = {}
    formula: Formula | None = None
    where: Where | None = None
    staff_note: str = ""
    printed: str = ""
    seconds: float = 0.0
    part: str | None = None


class Printed(msgspec.Struct, frozen=True):
    """What the student's code wrote to stdout and stderr: the first and last part, and how much it was in all."""

    head: str = ""
    tail: str = ""
    characters: int = 0


class ExerciseResult(msgspec.Struct, frozen=True):
    """All checks of one exercise. `printed` is what was printed while loading and in visible checks.

    `trace` is a forward pass, expression by expression (`grader.checks.replay`). `memory_mib` is what the worker took
    at most beyond what it was started with; None where nobody tells.
    `at_deadline` counts further checks, which were left out because they run after the deadline only.
    """

    name: str
    title: str
    checks: tuple[CheckResult, ...]
    remarks: tuple[str, ...] = ()
    trace: tuple[dict[str, Any], ...] = ()
    staff_note: str = ""
    printed: Printed = Printed()
    load_seconds: float = 0.0
    memory_mib: int | None = None
    at_deadline: int = 0

    @property
    def points(self) -> float:
        """The sum of the checks."""
        return sum(check.points for check in self.checks)

    @property
    def lost(self) -> bool:
        """Whether any check earned less than it could."""
        return any(check.points < check.max_points for check in self.checks)
