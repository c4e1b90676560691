"""What a source file defines, by its syntax tree alone: nothing here is run or imported."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass

from grader.model.submission import Cell, SourceFile

Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef

MOST_BYTES_PARSED = 256 << 10
_HEADLINE = re.compile(r"^(?:class|(?:async[ \t]+)?def)[ \t]+([^\W\d]\w*)", re.MULTILINE)
_CLASS_HEADLINE = re.compile(r"^class[ \t]+([^\W\d]\w*)", re.MULTILINE)


def parse(source: str) -> ast.Module | None:
    """The tree, or None: no Python, too long to look at, or nested too deeply."""
    if len(source.encode("utf-8", "replace")) > MOST_BYTES_PARSED:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


@dataclass(frozen=True)
class Outline:
    """What a file binds at its top level, seen once: looking again costs seconds when a file is made to be slow.

    `defines` are classes and functions, `classes` only the former; where the file is no Python (`is_broken`) they come
    from its `class` and `def` lines. `is_empty`: nothing in it but white space and comments.
    """

    defines: tuple[str, ...]
    classes: tuple[str, ...]
    assigns: frozenset[str]
    imports: frozenset[str]
    is_broken: bool
    is_empty: bool


def outline(cells: tuple[Cell, ...]) -> Outline:
    """Look at every cell once."""
    parts = [_outline(cell.source) for cell in cells]
    return Outline(
        defines=tuple(dict.fromkeys(name for part in parts for name in part.defines)),
        classes=tuple(dict.fromkeys(name for part in parts for name in part.classes)),
        assigns=frozenset(name for part in parts for name in part.assigns),
        imports=frozenset(name for part in parts for name in part.imports),
        is_broken=any(part.is_broken for part in parts),
        is_empty=all(part.is_empty for part in parts),
    )


def definition(file: SourceFile, name: str) -> tuple[Cell, Definition] | None:
    """The last class or function of that name, which is the one that counts when the file is run."""
    last = None
    for cell in file.cells:
        if name in cell.source and (module := parse(cell.source)):
            for one in _definitions(module):
                last = (cell, one) if one.name == name else last
    return last


def same_code(one: SourceFile, other: SourceFile, names: tuple[str, ...]) -> bool:
    """Whether both define these names with the same code; comments and spaces do not count."""
    try:
        return all(_dumped(one, name) == _dumped(other, name) for name in names)
    except RecursionError:
        return False


def _dumped(file: SourceFile, name: str) -> str | None:
    found = definition(file, name)
    return ast.dump(found[1]) if found else None


def _definitions(module: ast.Module) -> list[Definition]:
    return [
        one for one in _statements(module) if isinstance(one, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def _outline(source: str) -> Outline:
    module = parse(source)
    if module is None:
        names, classes = tuple(_HEADLINE.findall(source)), tuple(_CLASS_HEADLINE.findall(source))
        return Outline(names, classes, frozenset(), frozenset(), is_broken=True, is_empty=False)
    definitions = _definitions(module)
    statements = list(_statements(module))
    return Outline(
        defines=tuple(one.name for one in definitions),
        classes=tuple(one.name for one in definitions if isinstance(one, ast.ClassDef)),
        assigns=frozenset(name for one in statements for name in _assigned(one)),
        imports=frozenset(name for one in statements for name in _imported(one)),
        is_broken=False,
        is_empty=not module.body,
    )


def _statements(module: ast.Module) -> Iterator[ast.stmt]:
    """The statements that run on import, in their order: also inside `if`, `try` and `with`, not below `__main__`."""
    waiting: list[ast.AST] = [module]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.stmt):
            yield node
        if isinstance(node, ast.Module | ast.If | ast.Try | ast.With | ast.ExceptHandler) and not _is_main_guard(node):
            inner = (child for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt | ast.ExceptHandler))
            waiting.extend(reversed(list(inner)))


def _is_main_guard(node: ast.AST) -> bool:
    if not (isinstance(node, ast.If) and isinstance(node.test, ast.Compare)):
        return False
    sides = [node.test.left, *node.test.comparators]
    return any(isinstance(side, ast.Name) and side.id == "__name__" for side in sides)


def _assigned(statement: ast.stmt) -> list[str]:
    if isinstance(statement, ast.Assign):
        return [target.id for target in statement.targets if isinstance(target, ast.Name)]
    if isinstance(statement, ast.AnnAssign) and statement.value and isinstance(statement.target, ast.Name):
        return [statement.target.id]
    return []


def _imported(statement: ast.stmt) -> list[str]:
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return [alias.asname or alias.name for alias in statement.names]
    return []
