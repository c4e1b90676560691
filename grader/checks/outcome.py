"""However a check ended, its result: what was raised in it becomes a verdict in words, ours included."""

from __future__ import annotations

import math
import traceback
from typing import Protocol

import msgspec

from grader.checks.expect import CheckFailed, NeedsReview
from grader.checks.explain import Explained, lost, raised
from grader.checks.vocabulary import vocabulary
from grader.model.results import CheckResult, Formula, Where
from grader.sandbox.session import FORGED, StudentRaised, WorkerLost
from grader.sandbox.worker.messages import BadFrame

NOISE = 1e-12


class Locate(Protocol):
    """The line of a mistake, from its tag and half; `stopped` is where Python stopped, if it did."""

    def __call__(self, tag: str | None, half: str | None, stopped: Where | None = None, /) -> Where | None:
        """None where it is not clear."""


def ended(result: CheckResult, locate: Locate, ending: Exception) -> CheckResult:
    """A check that did not run to its end; `locate` finds the line of a mistake."""
    if isinstance(ending, CheckFailed):
        explained = Explained("partial" if ending.earned else "failed", ending.tag, ending.happened, ending.expected)
        half = ending.formula.half if ending.formula is not None else None
        found = with_words(result, explained, locate(ending.tag, half), earned=ending.earned)
        return msgspec.structs.replace(
            found,
            formula=stated(ending.formula),
            evidence={**result.evidence, **ending.evidence},
            staff_note=ending.staff_note,
        )
    if isinstance(ending, NeedsReview):
        explained = Explained("needs_review", None, ending.happened, ending.expected)
        undecided = with_words(result, explained, earned=1.0)
        return msgspec.structs.replace(undecided, staff_note=ending.staff_note, hints=())
    if isinstance(ending, StudentRaised):
        explained = raised(ending, result.visibility)
        return with_words(result, explained, locate(explained.tag, None, ending.where))
    if isinstance(ending, WorkerLost):
        return with_words(result, lost(ending.verdict, ending.happened), None)
    if isinstance(ending, BadFrame):
        return with_words(result, lost("crashed", FORGED))
    note = "".join(traceback.format_exception(ending))[-4000:]
    words = "This check could not be carried out. That is our fault, not yours; your teacher can see why."
    return msgspec.structs.replace(with_words(result, Explained("grader_error", None, words, "")), staff_note=note)


def stated(formula: Formula | None) -> Formula | None:
    """The residual as a bound, a power of ten: its digits are rounding noise, and differ from run to run."""
    if formula is None or formula.residual is None:
        return formula
    exponent = math.ceil(math.log10(max(formula.residual, NOISE)))
    return msgspec.structs.replace(formula, residual=float(f"1e{exponent}"))


def with_words(
    result: CheckResult, explained: Explained, where: Where | None = None, earned: float = 0.0
) -> CheckResult:
    """The result with a verdict in words; the hint of its tag comes after the check's own, its reason goes before."""
    hints, why = result.hints if explained.verdict != "not_run" else (), result.why
    if explained.tag is not None and (mistake := vocabulary().get(explained.tag)) is not None:
        hints, why = (*hints, mistake.hint), mistake.why
    return msgspec.structs.replace(
        result,
        verdict=explained.verdict,
        points=result.max_points * earned,
        tag=explained.tag,
        happened=explained.happened,
        expected=explained.expected,
        why=why,
        where=where,
        hints=hints,
    )
