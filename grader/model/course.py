"""A course: `course.toml` with one folder per exercise, read into frozen data."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from grader.errors import CourseError
from grader.model.asked_for import AskedFor, Role, read_lists
from grader.model.course_files import CourseFiles
from grader.model.deadline import Deadline
from grader.model.deadline_table import read_deadline
from grader.model.limits import Limits

SETTINGS, BUILDING_BLOCKS = "course.toml", "previous_chapters.py"
QUIZ = "knowledge_check"  # the name of the folder, and of the students' file
_OF_AN_EXERCISE, _OF_A_QUIZ = ("exercise.toml", "checks.py", "solution.py"), ("questions.toml",)


class Part(msgspec.Struct, frozen=True):
    """A further name that a file may define, with checks of its own, and how it stands in the course."""

    name: str
    role: Role


class Exercise(msgspec.Struct, frozen=True):
    """One exercise. `defines` are the names that a submission must define, the main class first.

    `formula` is what the main class must compute, as the student reads it. An `optional` exercise counts from the
    moment it is begun, and so does an optional part; a part that is "off" is not looked at. `why` says by concept what
    it matters for, where a mistake has no name that says so.
    """

    name: str
    title: str
    defines: tuple[str, ...]
    formula: str
    folder: str
    parts: tuple[Part, ...] = ()
    optional: bool = False
    why: dict[str, str] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """All names that the file must or may define."""
        return (*self.defines, *(part.name for part in self.parts if part.role != "off"))

    @property
    def checks(self) -> Path:
        """The hidden checks, a pytest file."""
        return Path(self.folder) / "checks.py"

    @property
    def solution(self) -> Path:
        """The reference, with BEGIN/END SOLUTION markers."""
        return Path(self.folder) / "solution.py"


class KnowledgeCheck(msgspec.Struct, frozen=True):
    """Where the questions of the quiz lie; `grader.quiz` reads them."""

    name: str
    folder: str
    optional: bool = False

    @property
    def questions(self) -> Path:
        """The questions with their key."""
        return Path(self.folder) / "questions.toml"


class Course(CourseFiles, frozen=True, kw_only=True):
    """All exercises in the order of the course, and what a grade depends on besides them.

    `seed` is private to the instructors: every check draws its inputs from it and from the submission's digest.
    `digest` covers everything that can change a verdict: checks, solutions, settings, building blocks. The deadline
    changes none, so nothing is graded again because of it. `held_back` counts checks that are not here, so
    that full marks are not taken for all. A `sealed` course was read with a key: errors in its files are told without
    what stands there, and it is used only where a submission cannot read the memory of others.
    """

    name: str
    exercises: tuple[Exercise, ...]
    seed: str
    limits: Limits
    digest: str
    deadline: Deadline | None = None
    quiz: KnowledgeCheck | None = None
    held_back: int = 0
    sealed: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """All exercises, and the quiz, by name."""
        return (*(one.name for one in self.exercises), *((self.quiz.name,) if self.quiz else ()))

    @property
    def optional(self) -> frozenset[str]:
        """What counts from the moment it is begun: exercises, parts (`residual_add.TinyBlock`) and the quiz."""
        parts = [(one.name, part) for one in self.exercises for part in one.parts if part.role == "optional"]
        quiz = (self.quiz.name,) if self.quiz is not None and self.quiz.optional else ()
        names = [one.name for one in self.exercises if one.optional]
        return frozenset((*names, *(f"{name}.{part.name}" for name, part in parts), *quiz))

    @property
    def required(self) -> tuple[str, ...]:
        """The exercises that every student must do, and the quiz if it is one of them."""
        return tuple(name for name in self.names if name not in self.optional)

    @property
    def files(self) -> tuple[str, ...]:
        """All files that grading needs, by their paths, without course.toml; some need not exist."""
        files = [f"{one.name}/{name}" for one in self.exercises for name in _OF_AN_EXERCISE]
        return (BUILDING_BLOCKS, *files, *(f"{self.quiz.name}/{name}" for name in _OF_A_QUIZ if self.quiz))

    def contents(self) -> dict[str, bytes]:
        """All files that grading needs, as they are."""
        return {name: data for name in (SETTINGS, *self.files) if (data := self.read(name)) is not None}

    @property
    def building_blocks(self) -> Path:
        """The module that students import from; ours is used, never a copy of theirs."""
        return Path(self.root) / BUILDING_BLOCKS

    def exercise(self, name: str) -> Exercise | None:
        """The exercise of that name, or None."""
        return next((e for e in self.exercises if e.name == name), None)


def load_course(root: Path) -> Course:
    """Read the course in `root`.

    Raises:
        CourseError: a file is missing, is not TOML, or lacks a key; the message names file and key.
    """
    return _course(CourseFiles(str(root)), root.resolve())


def course_in_memory(files: dict[str, bytes], root: str) -> Course:
    """The course of these files, by their paths; `root` stands for its place in messages. Raises as `load_course`."""
    return _course(CourseFiles(root, files), Path(root))


def _course(files: CourseFiles, root: Path) -> Course:
    path = files.shown(SETTINGS)
    table = _table(files, SETTINGS, {"name", "exercises", "seed"}, {"optional", "limits", "deadline"})
    due = table.pop("deadline", None)
    deadline = None if due is None else read_deadline(due, f"{path}: [deadline]")
    try:
        limits = msgspec.convert(table.get("limits", {}), Limits)
    except msgspec.ValidationError as error:
        raise CourseError(f"{path}: [limits] {error}. See grader/model/limits.py for the keys.") from None
    exercises, quiz = _asked_for(files, root, read_lists(table, path))
    course = Course(
        root=str(root),
        held=files.held,
        name=str(table["name"]),
        exercises=exercises,
        seed=str(table["seed"]),
        limits=limits,
        digest="",
        deadline=deadline,
        quiz=quiz,
    )
    return msgspec.structs.replace(course, digest=_digest(course, table))


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


def _asked_for(
    files: CourseFiles, root: Path, asked_for: AskedFor
) -> tuple[tuple[Exercise, ...], KnowledgeCheck | None]:
    """The folders that the lists name, read; afterwards every name is known."""
    there = files.folders(_OF_AN_EXERCISE[0], *_OF_A_QUIZ)
    asked_for.require_known([*there, *(name for name in asked_for.roles if "." in name)])  # parts are read below
    exercises, quiz = [], None
    for name in asked_for.folders:
        folder = str((root / name).resolve())
        if files.read(f"{name}/{_OF_A_QUIZ[0]}") is None:
            exercises.append(_exercise(files, name, folder, asked_for))
        elif name == QUIZ:
            quiz = KnowledgeCheck(QUIZ, folder, asked_for.optional(name))
        else:
            raise CourseError(
                f"{files.shown(name)} has a questions.toml: call the folder of a knowledge check {QUIZ!r}."
            )
    asked_for.require_known([*there, *(f"{one.name}.{part.name}" for one in exercises for part in one.parts)])
    return tuple(exercises), quiz


def _exercise(files: CourseFiles, exercise: str, folder: str, asked_for: AskedFor) -> Exercise:
    path = f"{exercise}/exercise.toml"
    table = _table(files, path, {"title", "defines", "formula"}, {"parts", "why"})
    for name in ("checks.py", "solution.py"):
        if files.read(f"{exercise}/{name}") is None:
            raise CourseError(
                f"{files.shown(f'{exercise}/{name}')} is missing: an exercise needs exercise.toml, solution.py and "
                "checks.py."
            )
    defines, parts = (tuple(str(name) for name in table.get(key, ())) for key in ("defines", "parts"))
    if wrong := [name for name in parts if name in defines or parts.count(name) > 1]:
        raise CourseError(
            f"{files.shown(path)} names {wrong[0]!r} twice in `defines` and `parts`. Keep one of the two."
        )
    return Exercise(
        name=exercise,
        title=str(table["title"]),
        defines=defines,
        formula=str(table["formula"]),
        folder=folder,
        parts=tuple(Part(name, asked_for.role(exercise, name)) for name in parts),
        optional=asked_for.optional(exercise),
        why={str(concept): str(why) for concept, why in dict(table.get("why", {})).items()},
    )


def _table(files: CourseFiles, name: str, required: set[str], optional: set[str]) -> dict[str, Any]:
    path, data = files.shown(name), files.read(name)
    if data is None:
        raise CourseError(f"{path} is missing: a course needs this file.")
    try:
        table = tomllib.loads(data.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CourseError(f"{path} is not TOML: {error}.") from None
    if missing := sorted(required - table.keys()):
        raise CourseError(f"{path} lacks the key {missing[0]!r}.")
    if unknown := sorted(table.keys() - required - optional):
        raise CourseError(f"{path} has the unknown key {unknown[0]!r}; known are {sorted(required | optional)}.")
    return table


def _digest(course: Course, settings: dict[str, Any]) -> str:
    digest = hashlib.sha256(json.dumps(settings, sort_keys=True, default=str).encode() + b"\n")
    for name in course.files:
        data = course.read(name) or b""
        digest.update(f"{name} {len(data)}\n".encode() + data)
    return f"sha256:{digest.hexdigest()}"
