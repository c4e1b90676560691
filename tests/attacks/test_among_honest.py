"""Two hundred honest submissions among all attacks, at two judges of one launcher: each record is as without them.

To save time the course asks four checks only, and what hangs does so on a very short clock.
"""

import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from queue import Queue

import msgspec
import pytest
from arena import LIMITS, Arena, comparable
from attack import ATTACKS

from bench.submissions import known
from grader.model.limits import Limits

SUBMISSIONS = 200
JUDGES = 2
CHECKS = ("takes_the_arguments", "adds_the_input_back", "lets_the_gradient_through", "is_quiet_in_eval_mode")
FILES = [path for are_right in (True, False) for path in known("residual_add", are_right=are_right)[::4]]
HONEST = [path.read_text(encoding="utf-8") for path in FILES]
PATIENT = Limits()
HASTY = msgspec.structs.replace(LIMITS, load_seconds=0.3, check_seconds=0.2, again_seconds=0.05)


class Judges:
    """Grades at whichever judge is free."""

    def __init__(self, arena):
        self._arena, self._free = arena, Queue()
        for _ in range(JUDGES):
            self._free.put(arena.judge())

    def grade(self, source, limits):
        line = self._free.get()
        try:
            return comparable(self._arena.grade_at(line, source, limits))
        finally:
            self._free.put(line)


@pytest.fixture(scope="module")
def graded() -> Iterator[tuple[list[object], list[object]]]:
    """The records of the honest submissions: without attacks, and among them."""
    with Arena(checks=CHECKS) as arena, ThreadPoolExecutor(JUDGES) as pool:
        judges = Judges(arena)
        alone = list(pool.map(lambda source: judges.grade(source, PATIENT), HONEST))
        mixed = [(number, HONEST[number % len(HONEST)], PATIENT) for number in range(SUBMISSIONS)]
        mixed += [
            (-1, attack.source(arena.world.names), HASTY if attack.hangs else LIMITS) for attack in ATTACKS.values()
        ]
        random.Random(1).shuffle(mixed)
        futures = [(number, pool.submit(judges.grade, source, limits)) for number, source, limits in mixed]
        found = sorted((number, future) for number, future in futures if number >= 0)
        yield alone, [future.result() for _, future in found]


def test_honest_records_are_the_same_among_attacks(graded):
    alone, among = graded

    assert len(among) == SUBMISSIONS
    assert [number for number, record in enumerate(among) if record != alone[number % len(alone)]] == []
