"""Bytes become source text, or a problem in words a student can act on."""

from __future__ import annotations

import hashlib
import re

from grader.intake import characters, names, notebook
from grader.intake.outline import Outline, joined
from grader.intake.parsing import Parser
from grader.intake.unreadable import Unreadable
from grader.model.submission import Cell, Problem, SourceFile

_CODING = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_BLANK = re.compile(rb"^[ \t\f]*(?:#.*)?$")
_NAMES_OF_UTF8 = ("utf-8", "utf8", "utf-8-sig", "ascii", "us-ascii")
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
MOST_NOTES = 20
_SAVE_AGAIN = "Open it in your editor, save it with the encoding UTF-8, and hand it in again."


def read_source(path: str, data: bytes, parser: Parser) -> tuple[SourceFile, Outline] | Problem:
    """The file as text, and what it defines.

    A `.py` that is no Python is a file all the same: running it tells the error best.
    """
    is_notebook = names.suffix(path) == ".ipynb"
    try:
        cells, outlines, done = notebook.read_cells(data, parser) if is_notebook else _python(data, parser)
    except Unreadable as trouble:
        happened = f"{names.quoted(path)} {trouble.what}"
        return Problem(kind="unreadable", happened=happened, next_step=trouble.next_step, file=path)
    notes = [
        remark for cell, outline in zip(cells, outlines, strict=True) for remark in characters.remarks(cell, outline)
    ]
    notes += done
    if len(notes) > MOST_NOTES:
        notes[MOST_NOTES:] = [f"… and {len(notes) - MOST_NOTES} more"]
    outline = joined(cells, outlines)
    file = SourceFile(
        path=path,
        kind="ipynb" if is_notebook else "py",
        digest=f"sha256:{hashlib.sha256(data).hexdigest()}",
        cells=cells,
        defines=outline.defines,
        notes=tuple(notes),
    )
    return file, outline


def _python(data: bytes, parser: Parser) -> tuple[tuple[Cell, ...], list[Outline], list[str]]:
    cell = Cell(None, _text(data))
    return (cell,), [parser.outline(cell.source)], []


def _text(data: bytes) -> str:
    if data.startswith(_UTF16_MARKS):
        raise Unreadable("is saved as UTF-16, and Python files are read as UTF-8.", _SAVE_AGAIN)
    if b"\0" in data:
        raise Unreadable("holds zero bytes, so it is no plain text (or it is saved as UTF-16).", _SAVE_AGAIN)
    if coding := _declared(data):
        raise Unreadable(
            f"says in a comment at its top that it is saved as {names.quoted(coding)}; files are read as UTF-8.",
            "Remove that comment, save the file with the encoding UTF-8, and hand it in again.",
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        what = f"is not saved as UTF-8 (line {line} holds a character of another encoding, perhaps Latin-1)."
        raise Unreadable(what, _SAVE_AGAIN) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _declared(data: bytes) -> str | None:
    """The codec that the first two lines name, unless it is UTF-8 or a part of it."""
    for line in data.removeprefix(b"\xef\xbb\xbf").splitlines()[:2]:
        if match := _CODING.match(line):
            coding = match[1].decode("ascii", "replace")
            return None if coding.lower().replace("_", "-") in _NAMES_OF_UTF8 else coding
        if not _BLANK.match(line):
            return None
    return None
