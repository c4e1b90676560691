"""What the experiments found, in a terminal, or in the file or pipe in its place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from reports.lab.page import Section
from reports.lab.view import MADE
from reports.page import Table
from reports.text import log_row
from reports.words import say

if TYPE_CHECKING:
    from rich.console import Console

BARS, PLAIN_BARS = "▁▂▃▄▅▆▇█", "_.-:=+*#"


def show(name: str, found: dict[str, Any], console: Console, page: str) -> None:
    """Print one experiment by its name in the record; `page` is where the page was written."""
    for row in _rows(MADE[name](found), _bars(console)):
        console.print(_fit(log_row(row.rstrip()), console), soft_wrap=True, markup=False, highlight=False)
    console.print(_fit(f"{say('console.page')}  {page}", console), soft_wrap=True, markup=False, highlight=False)


def sparkline(shares: Sequence[float], bars: str = BARS) -> str:
    """Shares from 0 to 1 as a row of bars."""
    return "".join(bars[min(int(share * len(bars)), len(bars) - 1)] for share in shares)


def _rows(section: Section, bars: str) -> Iterator[str]:
    yield section.title
    yield section.tried
    for sentence in section.stopped:
        yield from sentence.split("\n")
    for fact in (fact for facts in section.facts for fact in facts):
        yield f"  {fact.label:10}  {fact.value}"
    for table in section.tables:
        yield ""
        yield from _aligned(table, tuple(sparkline(one, bars) for one in section.sparks))
    yield ""
    for sentences in section.results:
        yield from sentences


def _aligned(table: Table, sparks: Sequence[str]) -> Iterator[str]:
    columns, rows = list(table.columns), [[cell.replace("\n", " ") for cell in row] for row in table.rows]
    if sparks:
        columns.insert(1, say("lab.column_curve"))
        rows = [[row[0], spark, *row[1:]] for row, spark in zip(rows, sparks, strict=True)]
    yield table.caption
    widths = [max(len(row[at]) for row in [columns, *rows]) for at in range(len(columns))]
    for row in [columns, *rows]:
        yield "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))


def _bars(console: Console) -> str:
    return BARS if _fit(BARS, console) == BARS else PLAIN_BARS


def _fit(text: str, console: Console) -> str:
    return text.encode(console.encoding, "backslashreplace").decode(console.encoding)
