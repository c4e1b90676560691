"""The stub that students start from, made from the marked solution.

    # BEGIN SOLUTION: Make the norm.       becomes      # Make the norm.
    self.norm = nn.LayerNorm(dim)                       raise NotImplementedError("…")
    # END SOLUTION

The text after the colon is optional. Imports stay, also those that only the solution needs: they are hints.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Collection
from typing import Literal, NamedTuple

from grader.errors import CourseError

STUB_MESSAGE = "Write this part, then delete this line."

_MARKER = re.compile(r"# (BEGIN|END) SOLUTION(?:: (\S.*))?")
_ALMOST = re.compile(r"#+\s*(begin|end)[\s_-]*solutions?\b", re.IGNORECASE)


class _Marker(NamedTuple):
    line: int
    kind: Literal["BEGIN", "END"]
    text: str


class _Block(NamedTuple):
    """Lines `first` to `last` (from 1, both included) with the markers; `text` goes above the raise."""

    first: int
    last: int
    text: str


def make_stub(source: str, path: str) -> str:
    """Replace each marked block by one `raise NotImplementedError`; all other text stays, with LF line ends.

    Raises:
        CourseError: the source is not Python, or markers are missing, unmatched, nested, misspelled, not alone on
            their line or outside a function; the message begins with `path` and the line.
    """
    lines, blocks = _lines_and_blocks(source, path)
    raises = []
    kept: list[str] = []
    position = 0
    for block in blocks:
        kept += lines[position : block.first - 1]
        begin = lines[block.first - 1]
        indent = begin[: len(begin) - len(begin.lstrip())]
        if block.text:
            kept.append(f"{indent}# {block.text}")
        kept.append(f'{indent}raise NotImplementedError("{STUB_MESSAGE}")')
        raises.append((len(kept), block.first))
        position = block.last
    stub = "\n".join(kept + lines[position:])
    _require_inside_functions(_parse(stub, path, "The stub made from it"), raises, path)
    return stub


def without(stub: str, names: Collection[str]) -> str:
    """The stub without these classes and functions, and without the empty lines above them."""
    lines = stub.split("\n")
    for node in reversed(ast.parse(stub).body):
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name in names:
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)]) - 1
            while first > 0 and not lines[first - 1].strip():
                first -= 1
            del lines[first : node.end_lineno]
    return "\n".join(lines)


def marked_blocks(source: str, path: str) -> list[str]:
    """The text between the markers of each block: what no student may see.

    Raises:
        CourseError: as in `make_stub`.
    """
    lines, blocks = _lines_and_blocks(source, path)
    return ["\n".join(lines[block.first : block.last - 1]) for block in blocks]


def _lines_and_blocks(source: str, path: str) -> tuple[list[str], list[_Block]]:
    source = source.replace("\r\n", "\n").replace("\r", "\n")
    _parse(source, path, "The solution")
    return source.split("\n"), _blocks(_markers(source, path), path)


def _parse(text: str, path: str, what: str) -> ast.Module:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None) or 1
        raise CourseError(f"{path}:{line}: {what} is not valid Python ({getattr(error, 'msg', error)}).") from None


def _markers(source: str, path: str) -> list[_Marker]:
    """All markers in their order. Only comments count: a docstring may talk about markers."""
    markers = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type != tokenize.COMMENT or not _ALMOST.match(token.string):
            continue
        line = token.start[0]
        match = _MARKER.fullmatch(token.string.rstrip())
        if match is None or (match[1] == "END" and match[2]):
            raise CourseError(
                f"{path}:{line}: {token.string!r} is almost a marker; write '# BEGIN SOLUTION', "
                "'# BEGIN SOLUTION: text for the stub' or '# END SOLUTION'."
            )
        if token.line[: token.start[1]].strip():
            raise CourseError(f"{path}:{line}: A marker must stand alone on its line.")
        markers.append(_Marker(line, "BEGIN" if match[1] == "BEGIN" else "END", match[2] or ""))
    return markers


def _blocks(markers: list[_Marker], path: str) -> list[_Block]:
    blocks = []
    begin: _Marker | None = None
    for marker in markers:
        if marker.kind == "BEGIN":
            if begin is not None:
                raise CourseError(
                    f"{path}:{marker.line}: BEGIN SOLUTION inside the block that began in line {begin.line}; "
                    "end that one first."
                )
            begin = marker
        elif begin is None:
            raise CourseError(f"{path}:{marker.line}: END SOLUTION without a BEGIN SOLUTION before it.")
        else:
            blocks.append(_Block(begin.line, marker.line, begin.text))
            begin = None
    if begin is not None:
        raise CourseError(f"{path}:{begin.line}: BEGIN SOLUTION is never ended; add '# END SOLUTION'.")
    if not blocks:
        raise CourseError(f"{path}:1: No '# BEGIN SOLUTION' found: the stub would be the whole solution.")
    return blocks


def _require_inside_functions(tree: ast.Module, raises: list[tuple[int, int]], path: str) -> None:
    """A raise outside every function would run on import, and the stub would not even load."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    inside = {line for function in functions for line in range(function.lineno + 1, (function.end_lineno or 0) + 1)}
    for stub_line, solution_line in raises:
        if stub_line not in inside:
            raise CourseError(f"{path}:{solution_line}: A marked block must lie inside a function or method.")
