"""The page of the lab as one self-contained file."""

from __future__ import annotations

from typing import Any

from reports.html import render
from reports.lab.view import lab_view


def lab_page(record: dict[str, Any]) -> str:
    """A `grade/lab/v1` record as a page; the same record gives the same bytes."""
    return render("lab", lab_view(record))
