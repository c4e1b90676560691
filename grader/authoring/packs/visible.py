"""The visible checks of a course as a course of their own, for places that students can read.

From each `checks.py` it takes the visible checks and what they use, without comments; nothing else. In the place of the
solution stands the stub, and the seed is another one. A visible check that compares with the solution stays out.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from grader.authoring.stub import make_stub
from grader.errors import CourseError
from grader.model.asked_for import Role
from grader.model.course import Course, Exercise
from grader.model.limits import Limits

SEED = "visible checks: no secret"
_REFERENCE = "reference"

_Function = ast.FunctionDef | ast.AsyncFunctionDef


class VisibleCourse(NamedTuple):
    """The files by name; how many checks they hold, of how many; and what stayed out, in sentences."""

    files: dict[str, bytes]
    shown: int
    checks: int
    notes: tuple[str, ...]


class NothingVisible(CourseError):
    """A course shows no check."""


def visible_course(course: Course) -> VisibleCourse:
    """Raises NothingVisible, or CourseError where a visible check uses a hidden one."""
    files: dict[str, str] = {}
    exercises, notes, shown, total = [], [], 0, 0
    for exercise in course.exercises:
        module = _Module(_read(exercise.checks), exercise)
        checks, hidden = (_counted(module.checks(visible=which), exercise) for which in (True, False))
        own = [one for one in checks if _REFERENCE not in _arguments(one)]
        notes += [
            f"{exercise.name}.{one.name.removeprefix('check_')} compares with the solution, so it stays hidden."
            for one in checks
            if one not in own
        ]
        own = [] if all(_word(one, "part") for one in own) else own  # an exercise needs a check of its own
        total += len(checks) + len(hidden)
        shown += len(own)
        if own:
            exercises.append(exercise)
            files[f"{exercise.name}/checks.py"] = module.source_of(own)
            files[f"{exercise.name}/solution.py"] = make_stub(_read(exercise.solution), str(exercise.solution))
            files[f"{exercise.name}/exercise.toml"] = _exercise_table(exercise)
    if not exercises:
        raise NothingVisible(f"{course.root} has no check that students may read (`@check(…, visible=True)`).")
    files["course.toml"] = _course_table(course, f"{course.name} ({shown} of {total} checks)", exercises)
    if course.building_blocks.is_file():
        files["previous_chapters.py"] = _read(course.building_blocks)
    return VisibleCourse({name: text.encode() for name, text in sorted(files.items())}, shown, total, tuple(notes))


class _Module:
    """A `checks.py` as statements, each under the names that it binds."""

    def __init__(self, source: str, exercise: Exercise) -> None:
        self._exercise = exercise
        try:
            self._body = ast.parse(source).body
        except SyntaxError as error:
            raise CourseError(f"{exercise.checks}, line {error.lineno}: {error.msg}.") from None
        self._bound = {name: at for at, statement in enumerate(self._body) for name in _binds(statement)}

    def checks(self, *, visible: bool) -> list[_Function]:
        """The checks that are so, in the order of the file."""
        functions = [one for one in self._body if isinstance(one, _Function) and one.name.startswith("check_")]
        return [one for one in functions if _is_visible(one) is visible]

    def source_of(self, checks: list[_Function]) -> str:
        """The source of these checks and of all that they use."""
        kept = {self._body.index(one) for one in checks}
        wanted: list[ast.stmt] = list(checks)
        names: set[str] = set()
        while wanted:
            used = _uses(wanted.pop())
            names |= used
            for at in {self._bound[name] for name in used if name in self._bound} - kept:
                statement = self._body[at]
                if statement in self.checks(visible=False):
                    raise CourseError(f"{self._exercise.checks}: a visible check uses the hidden one in line "
                                      f"{statement.lineno}.")  # fmt: skip
                kept.add(at)
                if not isinstance(statement, ast.Import | ast.ImportFrom):
                    wanted.append(statement)
        lines = ['"""The checks that students may read."""', ""]
        for at, statement in enumerate(self._body):
            if at in kept or _is_future(statement):
                lines += [ast.unparse(_only(statement, names)), ""]
        return "\n".join(lines)


def _counted(checks: list[_Function], exercise: Exercise) -> list[_Function]:
    """Without those of parts that are switched off, which run nowhere."""
    off = {part.name for part in exercise.parts if part.role == "off"}
    parts = [_word(one, "part") for one in checks]
    return [
        one
        for one, part in zip(checks, parts, strict=True)
        if not (isinstance(part, ast.Constant) and part.value in off)
    ]


def _is_visible(function: _Function) -> bool:
    """Whether its `@check(…)` says `visible=True`, in so many words."""
    said = _word(function, "visible")
    return isinstance(said, ast.Constant) and said.value is True


def _word(function: _Function, name: str) -> ast.expr | None:
    """What its `@check(…)` says for this argument."""
    calls = [one for one in function.decorator_list if isinstance(one, ast.Call)]
    return next((word.value for call in calls for word in call.keywords if word.arg == name), None)


def _is_future(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"


def _binds(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, _Function | ast.ClassDef):
        yield statement.name
        return
    for node in ast.walk(statement):
        if isinstance(node, ast.alias):
            yield (node.asname or node.name).partition(".")[0]
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, _Function | ast.ClassDef):
            yield node.name


def _uses(statement: ast.stmt) -> set[str]:
    """Names that it reads, and fixtures that it asks for by the names of its arguments."""
    read = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    return read | (_arguments(statement) if isinstance(statement, _Function) and statement.decorator_list else set())


def _arguments(function: _Function) -> set[str]:
    spec = function.args
    return {one.arg for one in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)}


def _only(statement: ast.stmt, names: set[str]) -> ast.stmt:
    """An import of no more than what is used."""
    if not isinstance(statement, ast.Import | ast.ImportFrom) or _is_future(statement):
        return statement
    aliases = [one for one in statement.names if (one.asname or one.name).partition(".")[0] in names]
    if isinstance(statement, ast.Import):
        return ast.Import(aliases)
    return ast.ImportFrom(statement.module, aliases, statement.level)


def _exercise_table(exercise: Exercise) -> str:
    return (
        f"title = {_string(exercise.title)}\n"
        f"defines = [{', '.join(map(_string, exercise.defines))}]\n"
        f"formula = {_string(exercise.formula)}\n"
        f"parts = [{', '.join(_string(part.name) for part in exercise.parts)}]\n"
    )


def _course_table(course: Course, name: str, exercises: list[Exercise]) -> str:
    required, optional = (", ".join(map(_string, _asked_for(exercises, role))) for role in ("required", "optional"))
    lines = [f"name = {_string(name)}", f"exercises = [{required}]", f"optional = [{optional}]"]
    lines.append(f"seed = {_string(SEED)}")
    usual = msgspec.to_builtins(Limits())
    changed = {key: value for key, value in msgspec.to_builtins(course.limits).items() if value != usual[key]}
    if changed:
        lines += ["", "[limits]", *(f"{key} = {json.dumps(value)}" for key, value in changed.items())]
    return "\n".join([*lines, ""])


def _asked_for(exercises: list[Exercise], role: Role) -> Iterator[str]:
    """What stands in one of the lists: exercises, each with its parts."""
    for one in exercises:
        if one.optional == (role == "optional"):
            yield one.name
        yield from (f"{one.name}.{part.name}" for part in one.parts if part.role == role)


def _string(text: str) -> str:
    """A string of TOML, which takes what JSON writes."""
    return json.dumps(text, ensure_ascii=False)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CourseError(f"{path} cannot be read: {error}.") from None
