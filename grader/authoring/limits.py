"""Limits that follow from what the solution took: generous, since students' machines and code are slower."""

from __future__ import annotations

import math
from collections.abc import Sequence

from grader.authoring.proof import Proposal, Spent

TIMES = 20
LEAST_SECONDS = 2.0


def proposed(spent: Sequence[Spent]) -> Proposal | None:
    """What to allow, going by the fastest of these runs of the solution: the others waited for a busy machine."""
    if not spent:
        return None
    load = min(one.load_seconds for one in spent)
    fastest = min(spent, key=lambda one: one.check_seconds)
    least = Spent(load, fastest.check_seconds, fastest.slowest)
    return Proposal(least, allowed(load), allowed(fastest.check_seconds))


def allowed(seconds: float) -> float:
    """Twenty times as long, at least two seconds, and a round number: 1, 2 or 5 times a power of ten."""
    wanted = max(TIMES * seconds, LEAST_SECONDS)
    power = 10.0 ** math.floor(math.log10(wanted))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= wanted - 1e-9)
