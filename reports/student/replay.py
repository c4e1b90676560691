"""A student's forward, replayed: what each line made, beside the step of the exercise that has the same numbers."""

from __future__ import annotations

from typing import Any

from reports.figures import Replay, Step
from reports.text import line, number
from reports.words import count, say

ROWS = 60
CHARACTERS = 90


def replay(trace: list[dict[str, Any]]) -> tuple[Replay, ...]:
    """The rows of the record's trace; nothing where there is none."""
    if not trace:
        return ()
    rows = tuple(_step(row, before) for before, row in zip(({}, *trace), trace[:ROWS], strict=False))
    first = next((at for at, row in enumerate(rows) if row.kind in {"differs", "never"}), None)
    note = say("replay.agrees" if first is None else "replay.parts", step=(first or 0) + 1)
    more = (count("more", len(trace) - ROWS),) if len(trace) > ROWS else ()
    return (Replay(say("replay.caption"), " ".join((note, *more)), rows, () if first is None else (first,)),)


def _step(row: dict[str, Any], before: dict[str, Any]) -> Step:
    """A row; its source is shown where it is another line than that of the row before, and more than what made it."""
    expected, made = row.get("expected"), row.get("made")
    kind = "never" if made is None else "differs" if expected else "same" if row.get("step") else "own"
    code = str(row.get("code") or "")
    shown = code and code != made and any(row.get(part) != before.get(part) for part in ("file", "cell", "line"))
    numbers = _numbers(row) if made is not None else ("–",) * 3
    return Step(
        kind=kind,
        place=_place(row),
        code=(line(code, CHARACTERS),) if shown else (),
        made=say("replay.never_made") if made is None else line(made, CHARACTERS),
        numbers=numbers,
        step=(line(row["step"], CHARACTERS),) if kind == "same" else (),
        standing=(say(f"replay.{kind}"),) if kind != "same" else (),
        expected=(_expected(expected),) if expected else (),
    )


def _place(row: dict[str, Any]) -> str:
    if not row.get("line"):
        return say("replay.input") if row.get("made") is not None else say("text.no_number")
    known = "cell" if row.get("cell") is not None else "line"
    return say(f"replay.place_{known}", cell=row.get("cell"), line=row["line"])


def _numbers(values: dict[str, Any]) -> tuple[str, str, str]:
    shape = values.get("shape")
    shown = "×".join(number(size) for size in shape[:8]) if shape is not None else say("text.no_number")
    return shown or say("replay.scalar"), number(values.get("mean")), number(values.get("std"))


def _expected(expected: dict[str, Any]) -> str:
    shape, mean, std = _numbers(expected)
    return say("replay.expected", step=line(expected["step"], CHARACTERS), shape=shape, mean=mean, std=std)
