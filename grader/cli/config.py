"""`grade config`: which settings are in force, and where each is from."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from grader.cli.settings import Setting, in_force, known
from grader.errors import CourseError


@click.command()
@click.argument("path", type=click.Path(path_type=Path), required=False)
@click.option("--json", "as_json", is_flag=True, help="Print the settings as JSON, and nothing else.")
@click.pass_context
def config(ctx: click.Context, path: Path | None, as_json: bool) -> None:
    """Show the settings in force here, and where each is from; with a PATH, those for grading it.

    An option counts first, then its environment variable, then [tool.grade] of the nearest pyproject.toml.
    """
    import msgspec

    found = in_force(ctx, path)
    file = str(found.file) if found else None
    rows = [_row(ctx, setting, path, file) for _, setting in sorted(known().items())]
    plain = {"file": file, "settings": rows}
    if as_json:
        from reports.text import json_text

        sys.stdout.buffer.write(json_text(msgspec.json.format(msgspec.json.encode(plain)) + b"\n"))
        return
    from rich.console import Console

    from reports.terminal.settings import show

    show(plain, Console(highlight=False))


def _row(ctx: click.Context, setting: Setting, path: Path | None, file: str | None) -> dict[str, Any]:
    """`from` is `environment`, `file` or `default`; `name` says which variable or which file."""
    raw, source = setting.consume_value(ctx, {"path": os.fspath(path)} if path else {})
    value = setting.process_value(ctx, raw)
    row = {"key": setting.key, "value": _plain(value), "from": "default", "name": None}
    if source is ParameterSource.ENVIRONMENT:
        row |= {"from": "environment", "name": setting.variable}
    elif source is ParameterSource.DEFAULT_MAP:
        row |= {"from": "file", "name": file}
    elif setting.key == "course":
        row["value"] = _nearest_course(path)
    return row


def _nearest_course(path: Path | None) -> str | None:
    from grader.model.course import find_course

    try:
        return find_course(None, path).root
    except CourseError:
        return None


def _plain(value: Any) -> Any:
    """As JSON has it. Of what is not set click keeps a mark of its own, which is no value."""
    if isinstance(value, tuple):
        return list(value)
    if isinstance(value, Path):
        return os.fspath(value)
    return value if isinstance(value, str | int | float) else None
