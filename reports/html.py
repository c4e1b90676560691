"""A record as one self-contained HTML file: no network, and no style or script but those of this package."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from reports.lab.view import experiments_with
from reports.student.view import student_view
from reports.words import words

if TYPE_CHECKING:
    from jinja2 import Environment

    from reports.lateness import Kept

_SCRIPTS = {"student": ("sort", "student"), "class": ("sort", "class")}  # no other page runs any


def student_page(record: dict[str, Any], kept: Kept | None = None, lab: dict[str, Any] | None = None) -> str:
    """The page of one student, after lateness where `kept` says so; the same record gives the same bytes.

    `lab` is what `grade lab` found: of it, what was found with a file of this submission is shown.
    """
    view = student_view(record, kept)
    return render("student", replace(view, experiments=experiments_with(record, lab)) if lab else view)


def render(name: str, page: object) -> str:
    """The template `name` with its style and script, which the policy allows, and nothing else.

    In front of a page's own rules stand those of all pages, in front of its own script the sorting of tables.
    """
    from markupsafe import Markup

    style = "\n".join(_asset(f"{part}.css") for part in ("base", name))
    script = "\n".join(_asset(f"{part}.js") for part in _SCRIPTS.get(name, ()))
    template = _templates().get_template(f"{name}.html")
    made = template.render(page=page, policy=_policy(style, script), style=Markup(style), script=Markup(script))
    return made.rstrip() + "\n"


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
def _asset(name: str) -> str:
    """A style sheet or script, without the comments and spaces that only its readers here need."""
    lines = (resources.files("reports") / "assets" / name).read_text(encoding="utf-8").splitlines()
    shown = "\n".join(line for each in lines if (line := each.strip()) and not line.startswith(("//", "/*")))
    return re.sub(r"(?<=[;{}]) | (?=[{}])|(?<=[a-z]:) |;(?= ?})", "", shown) if name.endswith(".css") else shown


def _policy(style: str, script: str) -> str:
    """Allows exactly these two. `frame-ancestors` and `sandbox` would be ignored in a meta element."""
    return (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
