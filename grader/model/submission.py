"""A submission: the files that were taken in, and which of them answers which exercise."""

from __future__ import annotations

from typing import Literal

import msgspec


class Cell(msgspec.Struct, frozen=True):
    """A piece of source. `number` is the code cell of a notebook counted from 1, or None for a `.py` file."""

    number: int | None
    source: str


class SourceFile(msgspec.Struct, frozen=True):
    """One Python file or notebook as text, or a file with answers, which has no cells.

    `path` is relative to what was handed in, with `/`; `digest` is `sha256:…` of the bytes; `defines` are the class and
    function names at the top level of its readable cells; `notes` say what was done to read it (one sentence each).
    """

    path: str
    kind: Literal["py", "ipynb", "toml"]
    digest: str
    cells: tuple[Cell, ...]
    defines: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class Problem(msgspec.Struct, frozen=True):
    """Why an exercise cannot be run at all, in the student's words: `kind` is for programs, the rest for people."""

    kind: Literal["missing", "empty", "stub", "unreadable", "not_defined"]
    happened: str
    next_step: str
    file: str | None = None
    line: int | None = None


class Work(msgspec.Struct, frozen=True):
    """What a submission holds for one exercise: a file to run, or the problem that keeps it from running.

    `remarks` are sentences for the page ("`my block.py` was taken as residual_add: it defines ResidualAdd"). `parts`
    are the exercise's parts that are begun in the file; `answers` are the bytes of a file with answers.
    """

    exercise: str
    file: SourceFile | None
    problem: Problem | None = None
    remarks: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    answers: bytes | None = None


class Skipped(msgspec.Struct, frozen=True):
    """A file that was seen and not read, and why."""

    path: str
    reason: str


class Submission(msgspec.Struct, frozen=True):
    """Everything that was handed in. `digest` covers path and bytes of every file that was read.

    `files` holds every readable source file, also helpers that no exercise asked for: the student's code may import
    them by name.
    """

    student: str
    digest: str
    works: tuple[Work, ...]
    files: tuple[SourceFile, ...] = ()
    skipped: tuple[Skipped, ...] = ()
