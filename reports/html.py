"""A record as one self-contained HTML file: no script, no network, nothing that a reader's browser must trust."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from reports.view import student_view
from reports.words import words

if TYPE_CHECKING:
    from jinja2 import Environment


def student_page(record: dict[str, Any]) -> str:
    """The page of one student; the same record gives the same bytes."""
    from markupsafe import Markup

    style = _style()
    page = (
        _templates()
        .get_template("student.html")
        .render(
            page=student_view(record),
            policy=_policy(style),
            style=Markup(style),
        )
    )
    return page.rstrip() + "\n"


@cache
def _templates() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["words"] = words()
    return environment


@cache
def _style() -> str:
    return (resources.files("reports") / "assets" / "student.css").read_text(encoding="utf-8")


def _policy(style: str) -> str:
    """Allows exactly this style sheet. `frame-ancestors` and `sandbox` would be ignored in a meta element."""
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
