"""The student's own lines around a place, coloured by Pygments. Each line is made safe before it is read as Python."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from reports.figures import CodeLine, CodePart, Frame
from reports.text import line

if TYPE_CHECKING:
    from pygments.lexer import Lexer  # type: ignore[import-untyped]  # carries no annotations

LINES = 7
CHARACTERS = 160
_KINDS = {"Keyword": "k", "String": "s", "Comment": "c", "Number": "n", "Function": "f", "Class": "f"}


def frame(where: dict[str, Any]) -> tuple[Frame, ...]:
    """The frame of the record, else the one line that it names, else nothing."""
    source, first = str(where.get("frame") or ""), int(where.get("frame_starts") or 0)
    if not source:
        source, first = str(where.get("code") or "").strip(), int(where["line"] or 0)
    if not source:
        return ()
    shown = [line(one.expandtabs(4), CHARACTERS) for one in source.split("\n")[:LINES]]
    lines = tuple(
        CodeLine(
            number=str(first + at) if first else "",
            kind="row here" if len(shown) > 1 and first and first + at == where["line"] else "row",
            parts=tuple(parts),
        )
        for at, parts in enumerate(_coloured("\n".join(shown)))
    )
    return (Frame(lines),)


def _coloured(source: str) -> Iterator[list[CodePart]]:
    """The parts of each line; the parts of a line joined together are the line."""
    parts: list[CodePart] = []
    for token, text in _lexer().get_tokens(source):
        kind = next((_KINDS[name] for name in reversed(token) if name in _KINDS), "")
        for number, piece in enumerate(text.split("\n")):
            if number:
                yield parts
                parts = []
            if piece and parts and (parts[-1].kind == kind or not piece.strip()):
                parts[-1] = CodePart(parts[-1].kind, parts[-1].text + piece)
            elif piece:
                parts.append(CodePart(kind, piece))
    yield parts


@cache
def _lexer() -> Lexer:
    from pygments.lexers.python import PythonLexer  # type: ignore[import-untyped]  # carries no annotations

    return PythonLexer(stripnl=False, ensurenl=False)
