"""The pairs that were found as one self-contained page."""

from __future__ import annotations

from typing import Any

from reports.alike.view import alike_view
from reports.html import render

ALIKE_PAGE = "alike.html"


def alike_page(found: dict[str, Any], course: str) -> str:
    """What `grader.alike` found, as plain data (`msgspec.to_builtins`); the same data give the same page."""
    return render("alike", alike_view(found, course))
