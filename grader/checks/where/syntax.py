"""Syntax trees of what students wrote. This file is also the process that parses: `python -I -S -B syntax.py`.

Parsing is not free, and a parser may crash (see `grader.intake.parser`). So the judge never parses: a process of its
own does, with a clock and a bound on memory, and hands the trees over as JSON that is neither deep nor large:

    ["source", …]   →   [["Module", {"body": […]}], null, …]     null: no Python, or more than is looked at

As a process it imports nothing of ours, so that it starts in 40 ms. Nodes keep their lines, and in `cell` their source.
"""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

SECONDS = 3.0
MEMORY_MIB = 512
MOST_CHARACTERS = 60_000  # in all sources
MOST_NODES = 20_000
MOST_DEPTH = 60
MOST_TEXT = 200


def trees(sources: Sequence[tuple[int | None, str]]) -> list[ast.Module]:
    """The trees of these (cell, source); what cannot be parsed, or not in time, is left out."""
    import subprocess

    command = [sys.executable, "-I", "-S", "-B", str(Path(__file__))]
    if sum(len(source) for _, source in sources) > MOST_CHARACTERS:
        return []
    request = json.dumps([source for _, source in sources]).encode()
    try:
        done = subprocess.run(command, input=request, capture_output=True, timeout=SECONDS, check=True)
        answers = json.loads(done.stdout)
    except (OSError, subprocess.SubprocessError, ValueError, RecursionError):
        return []
    pairs = zip(sources, answers, strict=True)
    return [_rebuilt(answer, cell) for (cell, _), answer in pairs if answer is not None]


def _rebuilt(value: Any, cell: int | None) -> Any:
    """Nodes from [type, fields, line]; lists and plain values as they are."""
    if isinstance(value, list):
        return [_rebuilt(item, cell) for item in value]
    if not isinstance(value, dict):
        return value
    kind, line, last = value.pop("_")
    node = getattr(ast, kind)(**{name: _rebuilt(item, cell) for name, item in value.items()})
    node.lineno, node.end_lineno, node.cell = line, last, cell
    return node


# In the process of its own --------------------------------------------------------------------------------------------


def main() -> None:
    """Answer one request."""
    import warnings

    _bound_memory(MEMORY_MIB << 20)
    warnings.simplefilter("ignore")
    json.dump([_parsed(source) for source in json.load(sys.stdin)], sys.stdout)


def _bound_memory(size: int) -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    most = size if hard == resource.RLIM_INFINITY else min(size, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _parsed(source: str) -> Any:
    try:
        return _plain(ast.parse(source), 0, iter(range(MOST_NODES)))
    except (SyntaxError, ValueError, RecursionError, MemoryError, StopIteration):
        return None


def _plain(value: Any, depth: int, left: Any) -> Any:
    """A node as {field: value, "_": [type, first line, last line]}. Raises for too deep and for too many."""
    if isinstance(value, list):
        return [_plain(item, depth, left) for item in value]
    if not isinstance(value, ast.AST):
        return _constant(value)
    next(left)
    if depth > MOST_DEPTH:
        raise RecursionError
    fields = {name: _plain(item, depth + 1, left) for name, item in ast.iter_fields(value)}
    return {**fields, "_": [type(value).__name__, getattr(value, "lineno", 0), getattr(value, "end_lineno", 0)]}


def _constant(value: Any) -> Any:
    """Text is cut; numbers that JSON does not know, and other constants, become None."""
    if isinstance(value, str):
        return value[:MOST_TEXT].encode("utf-8", "replace").decode()
    if isinstance(value, int) and abs(value) < 1 << 53:
        return value
    return value if isinstance(value, float) and value - value == 0 else None


if __name__ == "__main__":
    main()
