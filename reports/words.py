"""The sentences of ours, read from `words.toml`; nothing else in this package holds text for readers."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources


@cache
def words() -> dict[str, dict[str, str]]:
    """All sentences by section and name; treat as read-only."""
    return tomllib.loads((resources.files("reports") / "words.toml").read_text(encoding="utf-8"))


def say(key: str, **values: object) -> str:
    """The sentence `section.name` with its blanks filled; a key that does not exist is a KeyError."""
    section, name = key.split(".")
    return words()[section][name].format(**values)


def count(noun: str, number: int) -> str:
    """A number with its noun in the right form: `1 check`, `1,200 characters`."""
    form = "one" if number == 1 else "other"
    return say(f"count.{noun}_{form}", n=f"{number:,}")
