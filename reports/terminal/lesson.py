"""What there is to say about a kind of mistake, for a terminal."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Console
from rich.table import Table
from rich.text import Text

PARTS = ("sentence", "why", "hint")


def show(name: str, lesson: Mapping[str, str], console: Console) -> None:
    """One lesson: its title, what happens, why it matters, and where to look."""
    console.print(Text(f"{lesson['title']}  ({name})"), style="bold")
    for part in PARTS:
        if lesson.get(part):
            console.print(Text(lesson[part]))


def show_all(lessons: Mapping[str, Mapping[str, str]], console: Console) -> None:
    """A line for each."""
    table = Table(box=None, pad_edge=False, show_header=False)
    for name, lesson in lessons.items():
        table.add_row(Text(name), Text(lesson["title"]))
    console.print(table)
