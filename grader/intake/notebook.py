"""The code cells of a notebook. What else it holds (outputs, kernel, ids) may be missing, odd or wrong.

nbformat brings every format to the current one; its validation is left out, which warns about or refuses what does not
matter here. Where it stumbles over a sloppy file, the `cells` are taken as they stand.
"""

from __future__ import annotations

import json
from typing import Any

from grader.intake import names
from grader.intake.magics import without_magics
from grader.intake.unreadable import Unreadable
from grader.model.submission import Cell

MOST_CELLS = 2_000
MOST_SOURCE_BYTES = 1 << 20
MOST_NOTES = 20
_MOST_BRACKETS = 1_000_000
_SAVE_AGAIN = "Open it in Jupyter, save it, and hand it in again."
_SHORTEN = "Hand in a notebook with only the exercises in it."
_CUT_OFF = "is cut off before its end."
_SAVE_WHOLE = "Save the notebook once more and hand in the whole file."


def read_cells(data: bytes) -> tuple[tuple[Cell, ...], tuple[str, ...]]:
    """(code cells that hold something, what was done to read them). A cell keeps its number among all code cells.

    Raises:
        Unreadable: not a notebook, or too much of it.
    """
    sources, notes = _sources(_json(data))
    cells = []
    for number, source in enumerate(sources, 1):
        clean, removed = without_magics(source)
        notes += [f"cell {number}: {names.quoted(text)} was left out" for text in removed]
        if clean.strip():
            cells.append(Cell(number=number, source=clean))
    if len(notes) > MOST_NOTES:
        notes[MOST_NOTES:] = [f"… and {len(notes) - MOST_NOTES} more"]
    return tuple(cells), tuple(notes)


def _json(data: bytes) -> Any:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if error.reason == "unexpected end of data":
            raise Unreadable(_CUT_OFF, _SAVE_WHOLE) from None
        raise Unreadable("is not saved as UTF-8, as notebooks are.", _SAVE_AGAIN) from None
    if not text.strip():
        raise Unreadable("is an empty file, not even a notebook without cells.", _SAVE_AGAIN)
    if text.lstrip()[:14].lower().startswith(("<!doctype html", "<html", "<head", "<?xml")):
        raise Unreadable("is a web page that was saved as .ipynb, not a notebook.", "Download the notebook itself.")
    if data.count(b"[") + data.count(b"{") > _MOST_BRACKETS:
        raise Unreadable("holds too many parts to be read.", "Clear all outputs, save it, and hand it in again.")
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise _no_json(error, text) from None
    except ValueError:
        raise Unreadable("holds a number that is too long to be read.", _SAVE_AGAIN) from None
    except (RecursionError, MemoryError):
        raise Unreadable("is nested too deeply to be a notebook.", _SAVE_AGAIN) from None


def _no_json(error: json.JSONDecodeError, text: str) -> Unreadable:
    starts_as_notebook = text.lstrip().startswith("{")
    at_the_end = error.pos >= len(text.rstrip()) - len("fals") or error.msg.startswith("Unterminated string")
    if starts_as_notebook and at_the_end:
        return Unreadable(_CUT_OFF, _SAVE_WHOLE)
    return Unreadable(f"is damaged: it is not written as a notebook is (line {error.lineno}).", _SAVE_AGAIN)


def _sources(content: Any) -> tuple[list[str], list[str]]:
    """(the code cells' text, notes)."""
    old = isinstance(content, dict) and isinstance(content.get("worksheets"), list)
    cells = _current(content).get("cells") if isinstance(content, dict) else None
    if not isinstance(cells, list):
        raise Unreadable("is not a Jupyter notebook: it has no cells.", _SAVE_AGAIN)
    if len(cells) > MOST_CELLS:
        raise Unreadable(f"has more than {MOST_CELLS:,} cells.", _SHORTEN)
    sources = [_source(cell) for cell in cells if isinstance(cell, dict) and cell.get("cell_type") == "code"]
    if sum(len(source.encode()) for source in sources) > MOST_SOURCE_BYTES:
        raise Unreadable("holds more than 1 MiB of code.", _SHORTEN)
    return sources, ["the notebook is in an old format and was read as if saved today"] if old else []


def _current(content: dict[str, Any]) -> dict[str, Any]:
    """The notebook in format 4, without validation; as it is if nbformat cannot make sense of it."""
    import nbformat

    try:
        current: dict[str, Any] = nbformat.convert(nbformat.from_dict(content), 4)
    except Exception:  # whatever a file that is hardly a notebook makes it raise
        return content
    return current


def _source(cell: dict[str, Any]) -> str:
    source = cell.get("source", "")
    if isinstance(source, list):
        source = "".join(line for line in source if isinstance(line, str))
    if not isinstance(source, str):
        return ""
    if "\0" in source or any("\ud800" <= character <= "\udfff" for character in source):
        raise Unreadable("holds characters that are no text in one of its cells.", _SAVE_AGAIN)
    return source.replace("\r\n", "\n").replace("\r", "\n")
