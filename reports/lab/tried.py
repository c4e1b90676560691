"""Which file an experiment was made with, in words."""

from __future__ import annotations

from typing import Any

from reports.text import line
from reports.words import say


def tried(file: dict[str, Any]) -> str:
    """The name of the file that was handed in, or that it was the solution."""
    return say("lab.own", path=line(file["path"])) if file["own"] else say("lab.solution")
