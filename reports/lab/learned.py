"""What the curves of the copy task say: when it was learned, and who was faster, seed by seed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from reports.words import count, say

RIGHT = 0.9  # of the symbols: then it counts as learned

Runs = Sequence[Sequence[float]]


@dataclass(frozen=True)
class Spread:
    """The median of several runs at each look, and the worst and the best of them."""

    median: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


def spread(runs: Runs) -> Spread:
    """The runs together; all of them have the same number of looks."""
    looks = list(zip(*runs, strict=True))
    return Spread(
        tuple(float(median(look)) for look in looks),
        tuple(min(look) for look in looks),
        tuple(max(look) for look in looks),
    )


def when(runs: Runs, every: int) -> list[int | None]:
    """For each run, after how many steps it was learned; None where it never was."""
    return [next((at * every for at, share in enumerate(run) if share >= RIGHT), None) for run in runs]


def learned(steps_taken: Sequence[int | None], steps: int) -> str:
    """When it was learned, as a cell of a table."""
    reached = sorted(one for one in steps_taken if one is not None)
    if not reached:
        return say("lab.not_learned", steps=steps)
    middle = f"{median(reached):g}"
    if len(reached) < len(steps_taken):
        missed = count("seeds", len(steps_taken) - len(reached))
        return say("lab.learned_some", median=middle, steps=steps, count=missed)
    if reached[0] == reached[-1]:
        return say("lab.learned", median=middle)
    return say("lab.learned_band", median=middle, low=reached[0], high=reached[-1])


def verdict(found: dict[str, Any], own: dict[str, Any], twin: dict[str, Any]) -> Iterator[str]:
    """In sentences, who learned faster: nothing where one of the two has no curve for every seed."""
    mine, its = when(own["runs"], found["every"]), when(twin["runs"], found["every"])
    if not mine or len(mine) != len(its) or own["stopped"] or twin["stopped"]:
        return
    yield say("lab.verdict", **{"with": _after(mine, found["steps"]), "without": _after(its, found["steps"])})
    faster = neither = 0
    for one, other in zip(mine, its, strict=True):
        faster += one is not None and (other is None or one < other)
        neither += one is None and other is None
    everyone = count("seeds", len(mine))
    slower = len(mine) - faster - neither
    for key, number in (("faster", faster), ("slower", slower), ("neither", neither)):
        if number:
            yield say(f"lab.{key}", number=number, count=everyone)
    if slower and found["blocks"] == 1:
        yield say("lab.alone")


def _after(steps_taken: Sequence[int | None], steps: int) -> str:
    reached = [one for one in steps_taken if one is not None]
    if not reached:
        return say("lab.verdict_never", steps=steps)
    key = "verdict_after" if len(reached) == len(steps_taken) else "verdict_some"
    return say(f"lab.{key}", median=f"{median(reached):g}")
