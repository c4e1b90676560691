"""Open descriptors are capabilities: a worker keeps its channel and its output, and reads nothing from stdin."""

from __future__ import annotations

import os
import sys


def use_as_output(descriptor: int) -> None:
    """Make `descriptor` stdout and stderr, and /dev/null stdin, for Python and for C code alike.

    The streams are made anew: the old ones may hold what the ancestor had buffered.
    """
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(descriptor, 1)
    os.dup2(descriptor, 2)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115  (they live as long as the process)
    sys.stdout = open(1, "w", encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False, buffering=1)  # noqa: SIM115
    sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, sys.stdout, sys.stderr  # type: ignore[misc]


def close_all_but(keep: tuple[int, ...]) -> None:
    """Close everything above 2 except `keep`."""
    low = 3
    for descriptor in sorted(keep):
        os.closerange(low, descriptor)
        low = max(low, descriptor + 1)
    os.closerange(low, 1 << 16)
