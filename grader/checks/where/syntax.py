"""Syntax trees of what students wrote. This file is also the process that parses: `python -I -S -B syntax.py KEPT_MIB`.

Parsing is not free, and a parser may crash (see `grader.intake.parser`). So the judge never parses: a process of its
own does, with a clock and a bound on memory, and hands the trees over as JSON that is neither deep nor large:

    ["source", …]   →   [["Module", {"body": […]}], null, …]     null: no Python, or more than is looked at

As a process it imports nothing of ours, so that it starts in 40 ms; it is kept for the next sources of a submission,
unless it has grown. Nodes keep their lines, and in `cell` their source.
"""

from __future__ import annotations

import ast
import json
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import subprocess

SECONDS = 3.0
MEMORY_MIB = 512
KEPT_MIB = 64  # a process that has grown beyond it ends after its answer, so that the next source finds its room
MOST_CHARACTERS = 60_000  # in all sources
MOST_NODES = 20_000
MOST_DEPTH = 60
MOST_TEXT = 200


def trees(sources: Sequence[tuple[int | None, str]]) -> list[ast.Module]:
    """The trees of these (cell, source); what cannot be parsed, or not in time, is left out."""
    if not sources or sum(len(source) for _, source in sources) > MOST_CHARACTERS:
        return []
    try:
        answers = _asked(json.dumps([source for _, source in sources]).encode() + b"\n")
    except (OSError, ValueError, RecursionError):
        return []
    pairs = zip(sources, answers, strict=True)
    return [_rebuilt(answer, cell) for (cell, _), answer in pairs if answer is not None]


_kept: list[subprocess.Popen[bytes]] = []  # the process that answered last, if it did not end


def close() -> None:
    """End the process that is kept, so that none has seen what another student wrote."""
    for process in _kept:
        _end(process)
    _kept.clear()


def _asked(request: bytes) -> Any:
    """What a process answers. One that was kept may end of what it has seen before: then a fresh one decides."""
    import subprocess

    if _kept and (answer := _answer(_kept.pop(), request)):
        return json.loads(answer)
    command = [sys.executable, "-I", "-S", "-B", str(Path(__file__)), str(KEPT_MIB)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return json.loads(_answer(process, request))


def _answer(process: subprocess.Popen[bytes], request: bytes) -> bytes:
    """A line, or nothing where none came in time: that is the end of this process."""
    import threading

    assert process.stdin is not None
    assert process.stdout is not None
    clock, answer = threading.Timer(SECONDS, process.kill), b""
    clock.start()
    with suppress(OSError):
        process.stdin.write(request)
        process.stdin.flush()
        answer = process.stdout.readline()
    clock.cancel()
    if answer.endswith(b"\n"):
        _kept.append(process)
        return answer
    _end(process)
    return b""


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    with suppress(OSError):  # what was written and not read
        process.communicate()


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
    """Answer one request after the other, each in a line."""
    import warnings

    _bound_memory(MEMORY_MIB << 20)
    warnings.simplefilter("ignore")
    for line in sys.stdin:
        print(json.dumps([_parsed(source) for source in json.loads(line)]), flush=True)
        if _size() > int(sys.argv[1]) << 20:
            return


def _size() -> int:
    """Bytes of memory in use, 0 where the system does not tell."""
    try:
        with open("/proc/self/statm") as pages:
            return int(pages.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


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
