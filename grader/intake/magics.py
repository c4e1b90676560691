"""Takes what only Jupyter understands out of a cell, and leaves every line where it was: tracebacks stay right."""

from __future__ import annotations

import re
from dataclasses import dataclass

from grader.intake.outline import Outline
from grader.intake.parsing import Parser

_CELL_MAGICS_AROUND_PYTHON = ("%%time", "%%timeit", "%%capture")
_MAGIC = re.compile(
    r"""\s*(?:
        [%!] .*                                         # %matplotlib inline, !pip install torch
      | [^\W\d] [\w.,\[\]\ ]* = \s* [%!] .*             # files = !ls
      | \?{1,2} [\w.*]+ \s*                             # ?name
      | %? [^\W\d] [\w.*\[\]]* \?{1,2} \s*              # name??
    )$""",
    re.VERBOSE,
)
_LONG_QUOTES = ('"""', "'''")
_MARK_IN_STRING = re.compile(r'\\.|"""|' + r"'''")
_TOKEN = re.compile(
    r"""
      \"{3} | '{3}                                      # a long string begins
    | "(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*'           # a short one, whole
    | \# .* | [()\[\]{}] | \\.?                          # a comment, a bracket, a backslash
    """,
    re.VERBOSE,
)


def without_magics(source: str, parser: Parser) -> tuple[str, list[str], Outline]:
    """(the cell as Python, what was left out, what it defines). A cell that is Python as it stands stays as it is."""
    outline = parser.outline(source)
    if not outline.is_broken:
        return source, [], outline
    lines = source.split("\n")
    first = next((index for index, line in enumerate(lines) if line.strip() and not line.lstrip().startswith("#")), 0)
    removed = []
    if lines[first].lstrip().startswith("%%"):
        removed.append(lines[first].strip())
        if removed[0].split()[0] not in _CELL_MAGICS_AROUND_PYTHON:
            return "\n" * (len(lines) - 1), removed, Outline(is_empty=True)
        lines[first] = ""
    kept, more = _without_lines(lines)
    removed += more
    clean = "\n".join(kept)
    return clean, removed, parser.outline(clean) if removed else outline


def _without_lines(lines: list[str]) -> tuple[list[str], list[str]]:
    kept, removed = [], []
    place, in_magic = _Place(), False
    for line in lines:
        starts = not in_magic and not place.is_inside and _MAGIC.match(line) is not None
        if starts:
            removed.append(line.strip())
        if starts or in_magic:
            indent = line[: len(line) - len(line.lstrip())]
            kept.append(f"{indent}pass" if indent and starts else "")
            in_magic = line.endswith("\\")
        else:
            place.read(line)
            kept.append(line)
    return kept, removed


@dataclass
class _Place:
    """Where the next line begins: in a long string, in brackets, after a backslash, or afresh."""

    quote: str = ""
    brackets: int = 0
    is_continued: bool = False

    @property
    def is_inside(self) -> bool:
        """Whether the next line goes on with something; no magic can begin there."""
        return bool(self.quote) or self.brackets > 0 or self.is_continued

    def read(self, line: str) -> None:
        """Go over one more line."""
        self.is_continued = False
        at = 0
        while at < len(line):
            at = self._leave_string(line, at) if self.quote else self._read_token(line, at)

    def _leave_string(self, line: str, at: int) -> int:
        for mark in _MARK_IN_STRING.finditer(line, at):
            if mark[0] == self.quote:
                self.quote = ""
                return mark.end()
        return len(line)

    def _read_token(self, line: str, at: int) -> int:
        token = _TOKEN.search(line, at)
        if token is None:
            return len(line)
        if token[0] in _LONG_QUOTES:
            self.quote = token[0]
        elif token[0] in "([{":
            self.brackets += 1
        elif token[0] in ")]}":
            self.brackets = max(0, self.brackets - 1)
        self.is_continued = token[0] == "\\"
        return token.end()
