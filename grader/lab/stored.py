"""lab.json: what the experiments found, kept from one command to the next, each as it went the last time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from grader.lab.record import CopyTask, Gradients, LabRecord, Stack

RECORD, PAGE = "lab.json", "lab.html"
MOST_BYTES = 8 << 20


def kept(out: Path, course: str, found: Gradients | CopyTask | Stack) -> LabRecord:
    """What was found now, with the other experiments that `out` holds of the same course (by its digest)."""
    before = read_record(out / RECORD)
    if before is None or before.course != course:
        before = LabRecord(course=course)
    return msgspec.structs.replace(before, **{name_of(found): found})


def name_of(found: Gradients | CopyTask | Stack) -> str:
    """Under which name it stands in the record."""
    return {Gradients: "gradients", CopyTask: "copy_task", Stack: "gpt2"}[type(found)]


def read_record(path: Path) -> LabRecord | None:
    """A record that was written before; None where there is none of ours."""
    try:
        if path.is_symlink() or not path.is_file():
            return None
        with path.open("rb") as file:
            return msgspec.json.decode(file.read(MOST_BYTES), type=LabRecord)
    except (OSError, ValueError, msgspec.MsgspecError):
        return None


def read_plain(out: Path) -> dict[str, Any] | None:
    """The record in a folder as plain data, for pages."""
    record = read_record(out / RECORD)
    return None if record is None else msgspec.to_builtins(record)
