"""Syntax trees of what students wrote.

Parsing is not free, and a parser may crash (see `grader.intake.parser`). So the judge never parses: a process of its
own does (`parser`), with a clock and a bound on memory, and hands the trees over as data that is neither deep nor
large. It is kept for the next sources of a submission, unless it has grown.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    import subprocess

SECONDS = 3.0
KEPT_MIB = 64  # a process that has grown beyond it ends after its answer, so that the next source finds its room
MOST_CHARACTERS = 60_000  # in all sources
MOST_BYTES = 64 << 20  # in an answer
_CHILD = Path(__file__).with_name("parser.py")


def trees(sources: Sequence[tuple[int | None, str]]) -> list[ast.Module]:
    """The trees of these (cell, source); what cannot be parsed, or not in time, is left out.

    Nodes keep their lines, and in `cell` their source.
    """
    if not sources or sum(len(source) for _, source in sources) > MOST_CHARACTERS:
        return []
    texts = [source.encode("utf-8", "surrogatepass") for _, source in sources]
    try:
        answers = msgspec.msgpack.decode(_asked(b"".join((_number(len(texts)), *map(_framed, texts)))))
        pairs = zip(sources, answers, strict=True)
        return [_rebuilt(answer, cell) for (cell, _), answer in pairs if answer is not None]
    except (OSError, ValueError, RecursionError, msgspec.MsgspecError):
        return []


def _framed(data: bytes) -> bytes:
    return _number(len(data)) + data


def _number(value: int) -> bytes:
    return value.to_bytes(4, "big")


_kept: list[subprocess.Popen[bytes]] = []  # the process that answered last, if it did not end


def close() -> None:
    """End the process that is kept, so that none has seen what another student wrote."""
    for process in _kept:
        _end(process)
    _kept.clear()


def _asked(request: bytes) -> bytes:
    """What a process answers. One that was kept may end of what it has seen before: then a fresh one decides."""
    import subprocess

    if _kept and (answer := _answer(_kept.pop(), request)):
        return answer
    command = [sys.executable, "-I", "-S", "-B", str(_CHILD), str(KEPT_MIB)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return _answer(process, request)


def _answer(process: subprocess.Popen[bytes], request: bytes) -> bytes:
    """All of it, or nothing where it did not come in time: that is the end of this process."""
    import threading

    assert process.stdin is not None
    assert process.stdout is not None
    clock, size, answer = threading.Timer(SECONDS, process.kill), 0, b""
    clock.start()
    with suppress(OSError):
        process.stdin.write(request)
        process.stdin.flush()
        size = min(int.from_bytes(process.stdout.read(4), "big"), MOST_BYTES)
        answer = process.stdout.read(size)
    clock.cancel()
    if size and len(answer) == size:
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
