"""Points changed by hand in a CSV file, as any spreadsheet writes it: comma or semicolon, columns in any order."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator
from typing import NamedTuple

from grader.model.override import Override

COLUMNS = ("student", "exercise", "check", "points", "reason", "by")


class Row(NamedTuple):
    """A row by its number in the file: what it asks for, or why that cannot be told."""

    number: int
    override: Override | None
    problem: str = ""


def read_rows(text: str) -> Iterator[Row]:
    """Every row that is not empty; none after one with which the file ends to be readable."""
    first = text.partition("\n")[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=";" if first.count(";") > first.count(",") else ",")
    columns: list[str] | None = None
    while True:
        try:
            cells = [cell.strip() for cell in next(reader)]
        except StopIteration:
            return
        except csv.Error:
            yield Row(reader.line_num, None, "it cannot be read as CSV")
            return
        if not any(cells):
            continue
        if columns is not None:
            yield _row(reader.line_num, dict(zip(columns, [*cells, *[""] * len(columns)], strict=False)))
            continue
        columns = [cell.lower() for cell in cells]
        if missing := [name for name in COLUMNS if name not in columns]:
            wanted = f"the first row has to name the columns {', '.join(COLUMNS)}"
            yield Row(reader.line_num, None, f"{wanted}; {', '.join(missing)} is missing")
            return


def _row(number: int, cells: dict[str, str]) -> Row:
    written = cells["points"]
    try:
        points = float(written.replace(",", "."))
    except ValueError:
        points = math.nan
    if not math.isfinite(points):
        return Row(number, None, f"“{written[:40]}” is not a number of points")
    if not cells["reason"]:
        return Row(number, None, "it gives no reason")
    student = " ".join(cells["student"].split())
    return Row(number, Override(student, cells["exercise"], cells["check"], points, cells["reason"], cells["by"]))
