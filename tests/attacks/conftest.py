"""The arena, and what came of each attack in it."""

from collections.abc import Callable, Iterator
from functools import cache

import pytest
from arena import Arena, Outcome
from attack import ATTACKS


@pytest.fixture(scope="module")
def arena() -> Iterator[Arena]:
    """One launcher and one judge for all attacks of a module."""
    with Arena() as opened:
        yield opened


@pytest.fixture(scope="module")
def outcome_of(arena: Arena) -> Callable[[str], Outcome]:
    """What came of an attack; each is graded once."""
    return cache(lambda name: arena.fight(ATTACKS[name]))
