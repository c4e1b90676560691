"""The vocabulary of mistakes as data: tag → title, sentence, why, hint (see `vocabulary.toml`)."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

import msgspec


class Mistake(msgspec.Struct, frozen=True):
    """What a tag means: a title, what the code does, why it matters, and a question that leads on."""

    title: str
    sentence: str
    why: str
    hint: str


@cache
def vocabulary() -> dict[str, Mistake]:
    """All tags."""
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return {tag: msgspec.convert(entry, Mistake) for tag, entry in table.items()}
