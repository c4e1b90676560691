"""The settings in force (`grade config`) in a terminal."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from reports.text import line
from reports.words import say

if TYPE_CHECKING:
    from rich.console import Console

LONGEST = 400


def show(plain: dict[str, Any], console: Console) -> None:
    """Print each setting with its value, as TOML writes it, and where it is from; what somebody set stands out."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, padding=(0, 1), header_style="dim")
    for name in ("key", "value", "source"):
        table.add_column(say(f"settings.{name}"), overflow="fold")
    for row in plain["settings"]:
        source = say(f"settings.{row['from']}", name=line(row["name"] or "", LONGEST))
        style = "dim" if row["from"] == "default" else "bold"
        table.add_row(*(Text(part, style=style) for part in (row["key"], _value(row["value"]), source)))
    console.print(table)
    file = line(plain["file"] or "", LONGEST)
    console.print(Text(say("settings.read" if plain["file"] else "settings.no_file", file=file)), soft_wrap=True)


def _value(value: Any) -> str:
    if value is None or value == []:
        return say("settings.not_set")
    return line(json.dumps(value, ensure_ascii=False), LONGEST)
