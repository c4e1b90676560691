"""A record that does not say whose it is: the name becomes a code, file names become those of the exercises.

What students wrote themselves is searched for their name; a nickname in a comment of theirs is not found.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Any

from reports.words import say

Record = dict[str, Any]

_SHORTEST_NAME = 3
# What the course and the grader wrote, and nobody's name stands in.
_NOT_THEIRS = frozenset({
    "schema", "course", "environment", "timing", "digest", "name", "title", "concept", "visibility", "verdict", "tag",
    "half", "check", "formula", "expected", "hints", "next_step", "step",
})  # fmt: skip


def anonymised(record: Record, name: str, code: str) -> Record:
    """The record under `code`; files that answer no exercise are not named, and `staff` is left out."""
    told: Record = _told({**record, "staff": {}}, _replacements(_file_names(record), name, code))
    return {**told, "submission": {**told["submission"], "student": code}}


def without_name(text: str, name: str, code: str, *, parts: bool = True) -> str:
    """`text` with `code` in the place of the name, or of a part of it as well."""
    return _replaced(text, _replacements({}, name, code)[: None if parts else 1])


def _file_names(record: Record) -> dict[str, str]:
    """For each path the name to show: that of the first exercise that the file answers, or none of its own."""
    submission, files = record["submission"], dict[str, str]()
    for exercise in record["exercises"]:
        if exercise["file"]:
            suffix = ".ipynb" if exercise["file"].lower().endswith(".ipynb") else ".py"
            files.setdefault(exercise["file"], exercise["name"] + suffix)
    others = [file["path"] for part in ("files", "skipped") for file in submission[part]]
    return {path: say("class_page.other_file") for path in others if path} | files


def _replacements(files: dict[str, str], name: str, code: str) -> list[tuple[re.Pattern[str], str]]:
    """In this order: whole paths, names of files, the full name in any case, then its parts as they are written."""
    shown, paths = set(files.values()), sorted(files, key=len, reverse=True)
    ends = {path: end for path in paths if "." in (end := PurePosixPath(path).name) and end not in shown}
    pairs = [(re.escape(path), files[path], 0) for path in paths]
    pairs += [(re.escape(end), files[path], 0) for path, end in ends.items()]
    pairs += [(r"\s+".join(map(re.escape, name.split())), code, re.IGNORECASE)]
    pairs += [(re.escape(part), code, 0) for part in name.split() if len(part) >= _SHORTEST_NAME]
    return [(re.compile(rf"(?<!\w){pattern}(?!\w)", flags), new) for pattern, new, flags in pairs if pattern]


def _replaced(text: str, replacements: list[tuple[re.Pattern[str], str]]) -> str:
    for pattern, new in replacements:
        text = pattern.sub(new.replace("\\", r"\\"), text)
    return text


def _told(value: Any, replacements: list[tuple[re.Pattern[str], str]]) -> Any:
    if isinstance(value, dict):
        return {key: one if key in _NOT_THEIRS else _told(one, replacements) for key, one in value.items()}
    if isinstance(value, list):
        return [_told(one, replacements) for one in value]
    return _replaced(value, replacements) if isinstance(value, str) else value
