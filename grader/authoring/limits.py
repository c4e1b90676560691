"""Limits that follow from what the solution took: generous, since students' machines and code are slower."""

from __future__ import annotations

import math
from collections.abc import Sequence

from grader.authoring.proof import Proposal, Spent

TIMES = 20
LEAST_SECONDS = 2.0
MEMORY_TIMES = 4  # memory does not depend on how busy or how slow a machine is
LEAST_MIB = 512  # one row of threads or one larger batch is soon that much


def proposed(spent: Sequence[Spent]) -> Proposal | None:
    """What to allow, going by the fastest of these runs of the solution: the others waited for a busy machine.

    Of memory it is the run that took most.
    """
    if not spent:
        return None
    load = min(one.load_seconds for one in spent)
    fastest = min(spent, key=lambda one: one.check_seconds)
    most = max((one.memory_mib for one in spent if one.memory_mib is not None), default=None)
    took = Spent(load, fastest.check_seconds, fastest.slowest, most)
    return Proposal(took, allowed(load), allowed(fastest.check_seconds), None if most is None else allowed_mib(most))


def allowed(seconds: float) -> float:
    """Twenty times as long, at least two seconds, and a round number: 1, 2 or 5 times a power of ten."""
    wanted = max(TIMES * seconds, LEAST_SECONDS)
    power = 10.0 ** math.floor(math.log10(wanted))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= wanted - 1e-9)


def allowed_mib(used: int) -> int:
    """Four times as much, at least 512 MiB, and a power of two."""
    return 1 << (max(MEMORY_TIMES * used, LEAST_MIB) - 1).bit_length()
