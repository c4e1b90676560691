"""Where a block of two halves drops, from two experiments: in each, one sublayer returns a constant, the other zeros.

What the first half does to its sum and what the second does to its shortcut look alike where the second sublayer is
silent, so no half is judged alone: every choice of places is held against both experiments, the fewest dropouts first.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from grader.checks.residual.dropout import Dropped, Share
from grader.checks.residual.dropout_rules import DroppedHalf

Seen = Mapping[float, Dropped]


class Places(NamedTuple):
    """How many dropouts act on the three places of a half."""

    skip: int
    branch: int
    sum: int


def dropped_block(
    attention: Mapping[float, Dropped | None],
    feed_forward: Mapping[float, Dropped | None],
    missing: Callable[[], Mapping[str, float]],
) -> tuple[DroppedHalf, DroppedHalf] | None:
    """Both halves, at the rates that were asked for; None where an experiment could not be made.

    `missing` says, when it is needed, which share of the elements is missing, at a rate of 0.5, from what the sublayers
    get ("A", "F") and from what is normalised in each half ("x", "h").
    """
    first, second = ({rate: one for rate, one in tried.items() if one is not None}
                     for tried in (attention, feed_forward))  # fmt: skip
    if len(first) < len(attention) or len(second) < len(feed_forward):
        return None
    missing = cache(missing)
    halves = (DroppedHalf(first, "x", "A(Norm1(x))", "the attention's result", half="attn"),
              DroppedHalf(second, "h", "F(Norm2(h))", "the feed forward's result", half="ffn"))  # fmt: skip
    told = _told_apart(first, second, missing)
    if told is not None:
        halves = (replace(halves[0], seen=told[0]), replace(halves[1], seen=told[1]))
    summed = any(one.sum.found or one.skip.found for one in halves[0].seen.values())
    return _with_inside(halves[0], False, missing), _with_inside(halves[1], summed, missing)


def _told_apart(first: Seen, second: Seen, missing: Callable[[], Mapping[str, float]]) -> tuple[Seen, Seen] | None:
    """What each half does by itself, where one choice of places explains both experiments."""
    if any(one.place in ("hidden", "unknown") for seen in (first, second) for one in seen.values()):
        return None
    fitting = [pair for pair in _choices() if _explains(*pair, first, second)]
    if not fitting:
        return None
    own, rest = fitting[0]
    if len(fitting) > 1:
        share = missing().get("h", 0.0)
        own, rest = min(fitting, key=lambda pair: (sum(pair[0]) + sum(pair[1]), abs(_missing(pair[0]) - share)))
    return _made(own, first), _made(rest, second)


def _choices() -> Iterator[tuple[Places, Places]]:
    every = [Places(*counts) for counts in itertools.product((0, 1), (0, 1, 2), (0, 1, 2))]
    pairs = itertools.product(every, every)
    yield from sorted(pairs, key=lambda pair: sum(pair[0]) + sum(pair[1]))


def _explains(own: Places, rest: Places, first: Seen, second: Seen) -> bool:
    silent_second = Places(own.skip, own.branch, own.sum + rest.skip + rest.sum)
    silent_first = Places(own.skip + own.sum + rest.skip, rest.branch, rest.sum)
    return all(
        _is(shares, places, rate)
        for seen, places in ((first, silent_second), (second, silent_first))
        for rate, shares in seen.items()
    )


def _missing(places: Places) -> float:
    """The share of zeros in a half's result at a rate of 0.5."""
    kept_skip, kept_branch, kept_sum = (0.5**count for count in places)
    return 1 - kept_sum * (1 - (1 - kept_skip) * (1 - kept_branch))


def _is(one: Dropped, places: Places, rate: float) -> bool:
    return all(
        share.has_rate(1 - (1 - rate) ** count) if count else not share.found
        for share, count in zip((one.skip, one.branch, one.sum), places, strict=True)
    )


def _made(places: Places, seen: Seen) -> Seen:
    """The same as shares of a half by itself, exact ones."""
    made = {}
    for rate, one in seen.items():
        shares = [Share(1 - (1 - rate) ** n, (1 - rate) ** -n, 1 << 40) if n else Share() for n in places]
        made[rate] = replace(Dropped.of(shares[0], shares[1], shares[2]), whole_tokens=one.whole_tokens)
    return made


def _with_inside(half: DroppedHalf, summed: bool, missing: Callable[[], Mapping[str, float]]) -> DroppedHalf:
    """A half may drop what its sublayer gets, too; `summed`: what it begins with was dropped before."""
    if half.place not in ("nowhere", "branch"):
        return half
    if missing().get(half.branch[0]):
        return replace(half, inside=half.branch.replace("(Norm", "(Dropout(Norm") + ")")
    if missing().get(half.base) and not summed:
        return replace(half, inside=half.branch.replace(f"({half.base})", f"(Dropout({half.base}))"))
    return half
