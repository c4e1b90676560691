"""How far an exercise has been filled in, by where `raise NotImplementedError` still stands."""

from __future__ import annotations

import ast
from enum import IntEnum

from grader.intake.syntax import Definition, definition
from grader.model.course import Exercise
from grader.model.submission import Cell, SourceFile

_Function = ast.FunctionDef | ast.AsyncFunctionDef


class Progress(IntEnum):
    """Of two files for the same exercise the one with the smaller value is the better one to run."""

    FILLED_IN = 0
    PARTLY = 1
    STUB = 2


def is_stub(file: SourceFile, exercise: Exercise) -> bool:
    """Whether nothing has been filled in: the main class (or function) raises, and no wanted name holds other code."""
    return progress(file, exercise) is Progress.STUB


def progress(file: SourceFile, exercise: Exercise) -> Progress:
    """A file is partly filled in when a wanted name still raises and there is code beside it."""
    raising = [_raise_in(one) for one in _functions(file, exercise.defines)]
    if not any(raising):
        return Progress.FILLED_IN
    untouched = first_raise(file, exercise) and not any(_has_code(one) for one in _functions(file, exercise.defines))
    return Progress.STUB if untouched else Progress.PARTLY


def first_raise(file: SourceFile, exercise: Exercise) -> tuple[Cell, int] | None:
    """The cell and the line in it where the main class or function raises NotImplementedError for the first time."""
    found = definition(file, exercise.defines[0])
    if found is None:
        return None
    lines = [line for one in _functions_in(found[1]) if (line := _raise_in(one))]
    return (found[0], lines[0]) if lines else None


def _functions(file: SourceFile, wanted: tuple[str, ...]) -> list[_Function]:
    found = [definition(file, name) for name in wanted]
    return [function for one in found if one for function in _functions_in(one[1])]


def _functions_in(node: Definition) -> list[_Function]:
    if isinstance(node, ast.ClassDef):
        return [one for one in node.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)]
    return [node]


def _raise_in(function: _Function) -> int | None:
    """The line of the first such raise among the function's own statements."""
    return next((one.lineno for one in function.body if _raises_not_implemented(one)), None)


def _has_code(function: _Function) -> bool:
    return not all(_is_nothing(one) or _raises_not_implemented(one) for one in function.body)


def _raises_not_implemented(statement: ast.stmt) -> bool:
    if not isinstance(statement, ast.Raise):
        return False
    raised = statement.exc.func if isinstance(statement.exc, ast.Call) else statement.exc
    return isinstance(raised, ast.Name) and raised.id == "NotImplementedError"


def _is_nothing(statement: ast.stmt) -> bool:
    """A docstring or another lone constant, `pass`, or `super().__init__()`."""
    if isinstance(statement, ast.Pass):
        return True
    if not isinstance(statement, ast.Expr):
        return False
    return isinstance(statement.value, ast.Constant) or _is_super_init(statement.value)


def _is_super_init(value: ast.expr) -> bool:
    if not (isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "__init__"):
        return False
    owner = value.func.value
    return isinstance(owner, ast.Call) and isinstance(owner.func, ast.Name) and owner.func.id == "super"
