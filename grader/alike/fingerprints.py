"""Winnowing: of all runs of tokens in a text a few are kept, in such a way that equal stretches keep equal ones.

Schleimer, Wilkerson and Aiken, "Winnowing: Local Algorithms for Document Fingerprinting" (SIGMOD 2003). Two texts that
share RUN + WINDOW - 1 tokens in a row share a fingerprint.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from zlib import crc32

RUN = 12
WINDOW = 4


def runs(text: str) -> Iterator[str]:
    """Every run of RUN tokens."""
    return (text[at : at + RUN] for at in range(len(text) - RUN + 1))


def own_stretches(text: str, starter: frozenset[str]) -> list[tuple[int, int]]:
    """(begin, end) of what is left when every run that the starter code has is taken away."""
    stretches, given = [], 0
    for at, run in enumerate(runs(text)):
        if run in starter:
            if at > given:
                stretches.append((given, at))
            given = at + RUN
    if len(text) > given:
        stretches.append((given, len(text)))
    return stretches


def fingerprints(text: str, stretches: Iterable[tuple[int, int]]) -> Iterator[tuple[str, int]]:
    """(the run itself, where it begins) of the runs that are kept; none crosses the border of a stretch."""
    for begin, end in stretches:
        yield from ((text[at : at + RUN], at) for at in _winnowed(text, begin, end - RUN + 1))


def _winnowed(text: str, begin: int, end: int) -> Iterator[int]:
    """Of each WINDOW runs in a row the one with the least checksum, of several the last; each once."""
    sums = array("L", (crc32(text[at : at + RUN].encode()) for at in range(begin, end)))
    kept = -1
    for first in range(max(1, len(sums) - WINDOW + 1) if sums else 0):
        last = min(first + WINDOW, len(sums)) - 1
        if kept < first:
            kept = min(range(first, last + 1), key=lambda at: (sums[at], -at))
            yield begin + kept
        elif sums[last] <= sums[kept]:
            kept = last
            yield begin + kept
