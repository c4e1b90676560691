"""Figures about a class: exact, and none where there is nothing to say."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple


class Quartiles(NamedTuple):
    """A quarter of the values lies below `lower`, half below `median`, three quarters below `upper`."""

    lower: float
    median: float
    upper: float


def quartiles(values: Sequence[float]) -> Quartiles | None:
    """By linear interpolation between the ordered values, ends included (type 7 of Hyndman and Fan)."""
    ordered = sorted(values)
    if not ordered:
        return None

    def at(part: float) -> float:
        place = part * (len(ordered) - 1)
        below = math.floor(place)
        above = min(below + 1, len(ordered) - 1)
        return ordered[below] + (place - below) * (ordered[above] - ordered[below])

    return Quartiles(at(0.25), at(0.5), at(0.75))


def mean(values: Sequence[float]) -> float | None:
    """The arithmetic mean."""
    return math.fsum(values) / len(values) if values else None


def point_biserial(passed: Sequence[bool], rest: Sequence[float]) -> float | None:
    """The correlation of passing with the rest of the points, from -1 to 1; None where one of both is always the same.

    Raises:
        ValueError: not as many of one as of the other.
    """
    if len(passed) != len(rest):
        raise ValueError(f"{len(passed)} results and {len(rest)} points")
    ones = [points for one, points in zip(passed, rest, strict=True) if one]
    zeros = [points for one, points in zip(passed, rest, strict=True) if not one]
    high, low, middle = mean(ones), mean(zeros), mean(rest)
    if high is None or low is None or middle is None or len(set(rest)) == 1:
        return None
    deviation = math.sqrt(math.fsum((points - middle) ** 2 for points in rest) / len(rest))
    share = len(ones) / len(rest)
    return max(-1.0, min(1.0, (high - low) / deviation * math.sqrt(share * (1 - share))))


def histogram(values: Sequence[float], edges: Sequence[float]) -> tuple[int, ...]:
    """How many values lie from each edge up to the next; the last edge belongs to the last bar."""
    last = edges[-1]
    return tuple(sum(low <= value < high or value == high == last for value in values) for low, high in pairwise(edges))
