"""The code cells of a notebook. What else it holds (outputs, kernel, ids) is not looked at: it may be odd or hostile.

Cells are taken as they stand, without nbformat: bringing a file to the current format costs seconds and 800 MiB when
it is made for that, and only two names differ between the formats as far as code is concerned.
"""

from __future__ import annotations

import json
from typing import Any

from grader.intake import names
from grader.intake.magics import without_magics
from grader.intake.outline import Outline
from grader.intake.parsing import Parser
from grader.intake.unreadable import Unreadable
from grader.model.submission import Cell

MOST_CELLS = 2_000
MOST_SOURCE_BYTES = 1 << 20
_MOST_BRACKETS = 1_000_000
_SAVE_AGAIN = "Open it in Jupyter, save it, and hand it in again."
_SHORTEN = "Hand in a notebook with only the exercises in it."
_CUT_OFF = "is cut off before its end."
_SAVE_WHOLE = "Save the notebook once more and hand in the whole file."


def read_cells(data: bytes, parser: Parser) -> tuple[tuple[Cell, ...], list[Outline], list[str]]:
    """(code cells that hold something, what each defines, what was done to read them).

    A cell keeps its number among all code cells.

    Raises:
        Unreadable: not a notebook, or too much of it.
    """
    sources, notes = _sources(_json(data))
    cells, outlines = [], []
    for number, source in enumerate(sources, 1):
        clean, removed, outline = without_magics(source, parser)
        notes += [f"cell {number}: {names.quoted(text)} was left out" for text in removed]
        if clean.strip():
            cells.append(Cell(number=number, source=clean))
            outlines.append(outline)
    return tuple(cells), outlines, notes


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
    cells, notes = _cells(content)
    if len(cells) > MOST_CELLS:
        raise Unreadable(f"has more than {MOST_CELLS:,} cells.", _SHORTEN)
    sources = []
    for cell in cells:
        if isinstance(cell, dict) and cell.get("cell_type") == "code":
            source = _source(cell)
            sources.append(source or "")
            if source is None:
                notes.append(f"cell {len(sources)} was left out, because what it holds is no text")
    if sum(len(source.encode()) for source in sources) > MOST_SOURCE_BYTES:
        raise Unreadable("holds more than 1 MiB of code.", _SHORTEN)
    return sources, notes


def _cells(content: Any) -> tuple[list[Any], list[str]]:
    """All cells, with a note where they are those of the formats before 4: several worksheets of them."""
    cells = content.get("cells") if isinstance(content, dict) else None
    if isinstance(cells, list):
        return cells, []
    sheets = content.get("worksheets") if isinstance(content, dict) else None
    if not isinstance(sheets, list):
        raise Unreadable("is not a Jupyter notebook: it has no cells.", _SAVE_AGAIN)
    lists = [sheet["cells"] for sheet in sheets if isinstance(sheet, dict) and isinstance(sheet.get("cells"), list)]
    notes = ["the notebook is in an old format and was read as if saved today"]
    return [cell for cells in lists for cell in cells], notes


def _source(cell: dict[str, Any]) -> str | None:
    """The code of a cell, `input` in the old formats; None if it is no text."""
    source = cell.get("source", cell.get("input", ""))
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        source = "".join(source)
    if not isinstance(source, str):
        return None
    if "\0" in source or any("\ud800" <= character <= "\udfff" for character in source):
        raise Unreadable("holds characters that are no text in one of its cells.", _SAVE_AGAIN)
    return source.replace("\r\n", "\n").replace("\r", "\n")
