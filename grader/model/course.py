"""A course on disk: `course.toml` with one folder per exercise, read into frozen data."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from grader.errors import CourseError
from grader.model.deadline import Deadline
from grader.model.deadline_table import read_deadline
from grader.model.limits import Limits


class Exercise(msgspec.Struct, frozen=True):
    """One exercise. `defines` are the names that a submission must define, the main class first.

    `formula` is what the main class must compute, as the student reads it.
    """

    name: str
    title: str
    defines: tuple[str, ...]
    formula: str
    folder: str

    @property
    def checks(self) -> Path:
        """The hidden checks, a pytest file."""
        return Path(self.folder) / "checks.py"

    @property
    def solution(self) -> Path:
        """The reference, with BEGIN/END SOLUTION markers."""
        return Path(self.folder) / "solution.py"


class Course(msgspec.Struct, frozen=True):
    """All exercises in the order of the course, and what a grade depends on besides them.

    `seed` is private to the instructors: every check draws its inputs from it and from the submission's digest.
    `digest` covers everything that can change a verdict: checks, solutions, settings, building blocks. The deadline
    changes none, so nothing is graded again because of it.
    """

    name: str
    root: str
    exercises: tuple[Exercise, ...]
    seed: str
    limits: Limits
    digest: str
    deadline: Deadline | None = None

    @property
    def building_blocks(self) -> Path:
        """The module that students import from; ours is used, never a copy of theirs."""
        return Path(self.root) / "previous_chapters.py"

    def exercise(self, name: str) -> Exercise | None:
        """The exercise of that name, or None."""
        return next((e for e in self.exercises if e.name == name), None)


def load_course(root: Path) -> Course:
    """Read the course in `root`.

    Raises:
        CourseError: a file is missing, is not TOML, or lacks a key; the message names file and key.
    """
    table = _table(root / "course.toml", {"name", "exercises", "seed"}, {"limits", "deadline"})
    due = table.pop("deadline", None)
    deadline = None if due is None else read_deadline(due, f"{root / 'course.toml'}: [deadline]")
    try:
        limits = msgspec.convert(table.get("limits", {}), Limits)
    except msgspec.ValidationError as error:
        raise CourseError(
            f"{root / 'course.toml'}: [limits] {error}. See grader/model/limits.py for the keys."
        ) from None
    exercises = tuple(_exercise(root / str(name)) for name in table["exercises"])
    return Course(
        name=str(table["name"]),
        root=str(root.resolve()),
        exercises=exercises,
        seed=str(table["seed"]),
        limits=limits,
        digest=_digest(root, exercises, table),
        deadline=deadline,
    )


def find_course(given: Path | None, path: Path | None) -> Course:
    """The course that was asked for, else the nearest `solutions/` here, then above the submission, then the built-in.

    A course is run with the grader's rights, so none is taken from inside what was handed in.

    Raises:
        CourseError: there is none, or it cannot be read.
    """
    if given is not None:
        return load_course(given)
    handed_in = path.resolve() if path else None
    above: Sequence[Path] = ()
    if path and handed_in:
        above = handed_in.parents if path.is_dir() else handed_in.parent.parents  # a file lies among the student's
    around = [root for folder in (Path.cwd(), *Path.cwd().parents, *above) for root in (folder, folder / "solutions")]
    inside = [root for root in around if handed_in in (root, *root.parents, *root.resolve().parents)]
    built_in = Path(__file__).resolve().parents[2] / "solutions"
    for root in (*(root for root in around if root not in inside), built_in):
        if (root / "course.toml").is_file():
            return load_course(root)
    passed_by = [root for root in inside if (root / "course.toml").is_file()]
    why = f" {passed_by[0]} lies in what was handed in, so it is not run unasked." if passed_by else ""
    raise CourseError(f"No course was found.{why} Say where the instructors' side is: `--course PATH/solutions`.")


def _exercise(folder: Path) -> Exercise:
    table = _table(folder / "exercise.toml", {"title", "defines", "formula"}, set())
    for name in ("checks.py", "solution.py"):
        if not (folder / name).is_file():
            raise CourseError(
                f"{folder / name} is missing: an exercise needs exercise.toml, solution.py and checks.py."
            )
    return Exercise(
        name=folder.name,
        title=str(table["title"]),
        defines=tuple(str(name) for name in table["defines"]),
        formula=str(table["formula"]),
        folder=str(folder.resolve()),
    )


def _table(path: Path, required: set[str], optional: set[str]) -> dict[str, Any]:
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CourseError(f"{path} cannot be read ({error.strerror}): a course needs this file.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CourseError(f"{path} is not TOML: {error}.") from None
    if missing := sorted(required - table.keys()):
        raise CourseError(f"{path} lacks the key {missing[0]!r}.")
    if unknown := sorted(table.keys() - required - optional):
        raise CourseError(f"{path} has the unknown key {unknown[0]!r}; known are {sorted(required | optional)}.")
    return table


def _digest(root: Path, exercises: tuple[Exercise, ...], settings: dict[str, Any]) -> str:
    digest = hashlib.sha256(json.dumps(settings, sort_keys=True, default=str).encode() + b"\n")
    files = {"previous_chapters.py": root / "previous_chapters.py"}
    for exercise in exercises:
        for name in ("exercise.toml", "checks.py", "solution.py"):
            files[f"{exercise.name}/{name}"] = Path(exercise.folder) / name
    for name, path in files.items():
        data = path.read_bytes() if path.is_file() else b""
        digest.update(f"{name} {len(data)}\n".encode() + data)
    return f"sha256:{digest.hexdigest()}"
