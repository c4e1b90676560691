"""Where one worker lives: what the layers need to know, gathered before the fork."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .rlimits import Mapped


@dataclass(frozen=True)
class Place:
    """One worker's place.

    `settings` holds the numbers of `grader.model.limits.Limits`; `folder` is its private working folder; `user` the
    unused uid that it becomes (None: it stays who it is); `contained` says that it was forked inside the container;
    `mapped` is what the process had mapped at the fork; `proc` a descriptor of /proc; `keep` the descriptors that stay
    open beside 0, 1 and 2.
    """

    settings: dict[str, Any]
    folder: str
    user: int | None
    contained: bool
    mapped: Mapped
    proc: int
    keep: tuple[int, ...]
