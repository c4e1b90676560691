"""Puts grades into the lines of a file that an LMS handed out: each into the one line that is surely its student's."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator

from reports.export.csv_file import CsvFile
from reports.export.outcome import Filled, told
from reports.export.rows import Row

_Ids = Callable[[Row], Iterable[tuple[str, str]]]  # of which kinds a student's ids are in a file, and the ids


class Index:
    """The lines of a file by the ids in them; what is compared has no spaces around it, and case does not count."""

    def __init__(self) -> None:
        self._lines: dict[tuple[str, str], set[int]] = {}

    def add(self, kind: str, value: str, line: int) -> None:
        """An id of this kind stands in this line."""
        if value := _plain(value):
            self._lines.setdefault((kind, value), set()).add(line)

    def find(self, ids: Iterable[tuple[str, str]]) -> set[int]:
        """All lines that have one of these ids (kind and value)."""
        return {line for kind, value in ids for line in self._lines.get((kind, _plain(value)), ())}


class Filling:
    """Collects the new cells. `notes` are sentences about students; two students of one line get nothing written."""

    def __init__(self, file: CsvFile, column: int) -> None:
        self.notes: list[str] = []
        self._file, self._column = file, column
        self._cells: dict[tuple[int, int], str] = {}
        self._taken: dict[int, Row] = {}

    def placed(self, rows: Iterable[Row], found: Index, ids: _Ids) -> Iterator[tuple[Row, int]]:
        """The rows that have a grade, each with its line; what becomes of the others is noted."""
        for row in rows:
            if row.state == "missing":
                continue
            if row.points is None:
                self.notes.append(told(row, "not_graded"))
                continue
            lines = found.find(ids(row))
            if len(lines) != 1:
                self.notes.append(told(row, "several_lines" if lines else "no_line"))
                continue
            line = lines.pop()
            if (other := self._taken.setdefault(line, row)) is row:
                yield row, line
            else:
                self.notes.append(told(row, "same_line", other=other.who.shown))
                self._cells = {place: cell for place, cell in self._cells.items() if place[0] != line}

    def put(self, line: int, column: int, value: str) -> None:
        """This cell is to say this."""
        self._cells[line, column] = value

    def done(self, first: Iterable[str] = (), *, bom: bool) -> Filled:
        """The file; `first` are sentences about the whole of it."""
        grades = [(line, value) for (line, column), value in self._cells.items() if column == self._column]
        replaced = sum(_differs(self._file.at(line, self._column), value) for line, value in grades)
        data = self._file.with_cells(self._cells, bom=bom)
        return Filled(len(grades), (*first, *self.notes), data, replaced)


def number_in(cell: str) -> float:
    """The number that a cell shows, with either decimal sign; nan for anything else."""
    try:
        return float(cell.strip().replace(",", "."))
    except ValueError:
        return math.nan


def _differs(before: str, after: str) -> bool:
    return bool(before.strip()) and not abs(number_in(before) - number_in(after)) < 0.005


def _plain(value: str) -> str:
    return value.strip().casefold()
