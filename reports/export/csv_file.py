"""A CSV file of somebody else's, in which single cells are replaced and every other byte stays as it is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from reports.export.outcome import ExportError
from reports.words import say

BOM = "\ufeff"
_DELIMITERS = ",;\t"
_IN_QUOTES = re.compile(r'"(?:[^"]|"")*+"')


class Cell(NamedTuple):
    """What a cell says, and where it stands in the text with its quotes."""

    text: str
    start: int
    end: int


@dataclass(frozen=True)
class CsvFile:
    """The whole text (a byte order mark is kept apart), and the cells of each line that is not empty."""

    text: str
    bom: bool
    delimiter: str
    lines: tuple[tuple[Cell, ...], ...]

    @property
    def header(self) -> tuple[str, ...]:
        """The cells of the first line."""
        return tuple(cell.text for cell in self.lines[0])

    def at(self, line: int, column: int) -> str:
        """What a cell says; a line that is too short says nothing."""
        cells = self.lines[line]
        return cells[column].text if column < len(cells) else ""

    def with_cells(self, values: Mapping[tuple[int, int], str], *, bom: bool) -> bytes:
        """The file with these cells (by line and column) in place of the old ones, in UTF-8."""
        parts, done = [BOM if bom else ""], 0
        for line, column in sorted(values):
            cells, value = self.lines[line], quoted(values[line, column], self.delimiter)
            if column < len(cells):
                start, end = cells[column].start, cells[column].end
            else:
                start = end = cells[-1].end
                written = max([len(cells) - 1, *(at for row, at in values if row == line and at < column)])
                value = self.delimiter * (column - written) + value
            parts += [self.text[done:start], value]
            done = end
        return "".join([*parts, self.text[done:]]).encode("utf-8")


def read_csv(data: bytes) -> CsvFile:
    """The file, divided by commas, semicolons or tabs: by what its first line has most of outside quotes.

    Raises:
        ExportError: it is empty, not UTF-8, or has a quote that is never closed.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise ExportError(say("export.not_utf8")) from None
    bom = text.startswith(BOM)
    text = text.removeprefix(BOM)
    first = _IN_QUOTES.sub("", text).lstrip("\r\n").partition("\n")[0]
    delimiter = max(_DELIMITERS, key=first.count)
    lines = tuple(_lines(text, delimiter))
    if not lines:
        raise ExportError(say("export.empty"))
    return CsvFile(text, bom, delimiter, lines)


def quoted(value: str, delimiter: str) -> str:
    """The value as a cell, in quotes where it needs them."""
    return '"' + value.replace('"', '""') + '"' if re.search(rf'[{delimiter}"\r\n]', value) else value


def _lines(text: str, delimiter: str) -> Iterator[tuple[Cell, ...]]:
    """The cells line by line, as the csv module reads them too."""
    cell = re.compile(rf'"(?P<quoted>(?:[^"]|"")*+)(?P<close>"?)(?P<rest>[^{delimiter}\r\n]*)|[^{delimiter}\r\n]*')
    cells: list[Cell] = []
    at = 0
    while at < len(text):
        match = cell.match(text, at)
        if match is None or (match["quoted"] is not None and not match["close"]):
            raise ExportError(say("export.open_quote"))
        said = match[0] if match["quoted"] is None else match["quoted"].replace('""', '"') + match["rest"]
        cells.append(Cell(said, match.start(), match.end()))
        at = match.end()
        if text.startswith(delimiter, at):
            at += 1
            if at < len(text):
                continue
            cells.append(Cell("", at, at))
        if len(cells) > 1 or cells[0].start < cells[0].end:
            yield tuple(cells)
        cells = []
        at += 2 if text.startswith("\r\n", at) else 1
