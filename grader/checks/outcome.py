"""However a check ended, its result: what was raised in it becomes a verdict in words, ours included."""

from __future__ import annotations

import math
import traceback

import msgspec

from grader.checks.expect import CheckFailed, NeedsReview
from grader.checks.explain import Explained, lost, raised
from grader.checks.vocabulary import vocabulary
from grader.model.results import CheckResult, Formula, Where
from grader.sandbox.session import FORGED, StudentRaised, WorkerLost
from grader.sandbox.worker.messages import BadFrame

NOISE = 1e-12


def ended(result: CheckResult, forward: Where | None, ending: Exception) -> CheckResult:
    """A check that did not run to its end; `forward` is where the student's code computes its result."""
    if isinstance(ending, CheckFailed):
        explained = Explained("partial" if ending.earned else "failed", ending.tag, ending.happened, ending.expected)
        found = with_words(result, explained, forward, earned=ending.earned)
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
        return with_words(result, raised(ending, result.visibility), ending.where)
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
    """The result with a verdict in words; the hint of its tag comes after the check's own."""
    hints = result.hints if explained.verdict != "not_run" else ()
    if explained.tag is not None and (mistake := vocabulary().get(explained.tag)) is not None:
        hints = (*hints, mistake.hint)
    return msgspec.structs.replace(
        result,
        verdict=explained.verdict,
        points=result.max_points * earned,
        tag=explained.tag,
        happened=explained.happened,
        expected=explained.expected,
        where=where,
        hints=hints,
    )
