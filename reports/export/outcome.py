"""What an export says about itself, and what it cannot go on from."""

from __future__ import annotations

from dataclasses import dataclass

from reports.export.rows import Row
from reports.words import say


class ExportError(ValueError):
    """A file that cannot be filled, or a column that nobody can find; the message is for the person who exports."""


@dataclass(frozen=True)
class Written:
    """How many students have a grade (a page) in the file, and a sentence for whatever is not or may surprise."""

    written: int
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Filled(Written):
    """The same with the file itself; `replaced` counts grades that it had and that are others now."""

    data: bytes = b""
    replaced: int = 0


def told(row: Row, key: str, **values: object) -> str:
    """A sentence of the section `export` about a student."""
    return say(f"export.{key}", student=row.who.shown, **values)
