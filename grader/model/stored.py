"""Reads records that were stored earlier, for pages that are made again: nothing is graded, nothing trusted.

A record is handed on as plain data, with the fields that a later grader may have added.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import msgspec

from grader.errors import UsageError
from grader.model.record import Record

MOST_BYTES = 32 * 2**20
_SCHEMA = "grade/record/"
_VERSION = _SCHEMA + "v1"
_MOST_POINTS, _ROUNDING = 1e6, 0.011
_ADDED_LATER = {"unconfined": {}, "confinement_level": "practice"}


class Stored(NamedTuple):
    """Records by where they lay (relative to the folder, with `/`), what could not be read, and how much was not one.

    `broken` holds a path and a sentence for each file; `others` counts JSON files that are no records.
    """

    records: tuple[tuple[str, dict[str, Any]], ...]
    broken: tuple[tuple[str, str], ...] = ()
    others: int = 0


class _Unreadable(Exception):
    """Says in a sentence why a file is not taken."""


class _NotOne(_Unreadable):
    """JSON, but no record."""


def read_records(path: Path) -> Stored:
    """The record in a file, or all in a folder and the folders below.

    Raises:
        UsageError: there is none.
    """
    try:
        folder, there = path.is_dir(), path.exists()
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror}). Check the path.") from None
    if not there:
        raise UsageError(f"{path} does not exist. Give a record (grade.json) or a folder with records.")
    if folder:
        return _all_in(path)
    try:
        return Stored(((path.name, read_record(path)),))
    except _Unreadable as problem:
        raise UsageError(f"{path}: {problem}") from None


def read_overrides(path: Path) -> str:
    """The text of a CSV file, as Excel or anything else writes it in UTF-8.

    Raises:
        UsageError: it cannot be read.
    """
    try:
        return _bytes(path).decode("utf-8-sig")
    except _Unreadable as problem:
        raise UsageError(f"{path}: {problem}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not UTF-8 text. Save it as “CSV UTF-8”.") from None


def lessons() -> dict[str, dict[str, str]]:
    """What there is to say about each tag of a mistake; read as data, since `grader.checks` imports torch."""
    vocabulary = Path(__file__).parents[1] / "checks" / "vocabulary.toml"
    return tomllib.loads(vocabulary.read_text(encoding="utf-8"))


def read_record(path: Path) -> dict[str, Any]:
    """One record, valid in all that the schema says.

    Raises:
        _Unreadable: it is not one, with the reason in a sentence.
    """
    try:
        read = json.loads(_bytes(path), parse_constant=_no_number)
    except UnicodeDecodeError:
        raise _Unreadable("It is not UTF-8 text.") from None
    except json.JSONDecodeError as error:
        raise _Unreadable(f"It is not complete JSON: {error.msg} in line {error.lineno}.") from None
    except (ValueError, RecursionError):
        raise _Unreadable("It is JSON that no record consists of.") from None
    schema = read.get("schema") if isinstance(read, dict) else None
    if not isinstance(schema, str) or not schema.startswith(_SCHEMA):
        raise _NotOne("It is not a record of this grader. A record is made by `grade submit`, as grade.json.")
    if schema != _VERSION:
        raise _Unreadable(f"It is a record of another version ({schema[:40]}); this grader reads {_VERSION}.")
    _validate(read)
    return dict(read)


def _all_in(folder: Path) -> Stored:
    records, broken, others = [], [], 0
    for path in _json_files(folder):
        name = path.relative_to(folder).as_posix()
        try:
            records.append((name, read_record(path)))
        except _NotOne:
            others += 1
        except _Unreadable as problem:
            broken.append((name, str(problem)))
    if not records:
        found = [f"{name}: {why}" for name, why in broken[:3]]
        told = " ".join(found) or ("All JSON files in it are of another kind." if others else "It has no JSON file.")
        raise UsageError(f"{folder} has no record that can be read. {told} Records are made by `grade submit`.")
    courses = sorted({record["course"]["name"] for _, record in records})
    if len(courses) > 1:
        named = ", ".join(f"“{course}”" for course in courses[:5])
        raise UsageError(f"{folder} has records of {len(courses)} courses: {named}. Give a folder for each of them.")
    return Stored(tuple(records), tuple(broken), others)


def _json_files(folder: Path) -> Iterator[Path]:
    """In an order that does not depend on the file system. Links are not followed."""
    for root, folders, files in os.walk(folder):
        folders.sort()
        for name in sorted(files):
            path = Path(root, name)
            if name.lower().endswith(".json") and not path.is_symlink():
                yield path


def _bytes(path: Path) -> bytes:
    try:
        if not path.is_file():
            raise _Unreadable("It is not a file.")
        if path.stat().st_size > MOST_BYTES:
            raise _Unreadable(f"It is larger than {MOST_BYTES // 2**20} MiB.")
        return path.read_bytes()
    except OSError as error:
        raise _Unreadable(f"It cannot be read ({error.strerror}).") from None


def _no_number(name: str) -> NoReturn:
    raise ValueError(name)


def _validate(read: dict[str, Any]) -> None:
    """The types of the schema, and points that add up to something: from 0 to what there is to earn."""
    environment = read.get("environment")
    if isinstance(environment, dict):
        environment = read["environment"] = {**_ADDED_LATER, **environment}
    try:
        record = msgspec.convert(read, Record)
    except (msgspec.ValidationError, RecursionError) as error:
        raise _Unreadable(f"It is not as this grader writes records: {error}.") from None
    scores = [(record.points, record.max_points)]
    for exercise in record.exercises:
        scores += [(exercise.points, exercise.max_points)]
        scores += [(check.points, check.max_points) for check in exercise.checks]
    for points, most in scores:
        if not 0 <= points <= most + _ROUNDING or not most <= _MOST_POINTS:
            raise _Unreadable(f"It is not as this grader writes records: {points:g} of {most:g} points.")
    if not 1 <= record.submission.attempt <= _MOST_POINTS:
        raise _Unreadable("It is not as this grader writes records: the attempt has no usable number.")
