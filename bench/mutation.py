"""Small changes to a solution, made on its syntax tree: the mistakes that no author thought of.

Only the functions of the exercise's class are changed, and neither docstrings nor annotations.
"""

from __future__ import annotations

import ast
import copy
import difflib
import itertools
import random
from collections.abc import Iterator
from typing import Any, NamedTuple

from bench.operators import OPERATORS, Scope, text_of

REASONS = {  # why a mutant of this kind may compute the same
    "call repeated": "the call changes nothing in its own result",
    "loop bounded": "six sizes make five layers",
    "gradient cut": "only the shape of it is used",
    "operands swapped": "addition commutes",
    "part hidden": "it has neither parameters nor a mode",
    "shape compared in part": "the rest of the shape is the same anyway",
    "statement duplicated": "the second time does what the first has done",
    "statements swapped": "neither depends on the other",
}


class Mutant(NamedTuple):
    """A changed source; `kind` names the operator, or two of them with a `+` between."""

    kind: str
    source: str


def first_order(source: str, main: str) -> list[Mutant]:
    """Every mutant with one change in the class `main`, each source once, the unchanged one left out."""
    tree = ast.parse(source)
    seen = {ast.unparse(tree)}
    made = []
    for edit in _edits(tree, main):
        changed = _edited(tree, edit)
        if changed is not None and changed not in seen:
            seen.add(changed)
            made.append(Mutant(edit.kind, changed))
    return made


def mutants(source: str, main: str, seed: int = 0) -> Iterator[Mutant]:
    """All of first order, then those with two changes, drawn by `seed`, each source once, for as long as one asks."""
    made = first_order(source, main)
    yield from made
    seen = {ast.unparse(ast.parse(source)), *(mutant.source for mutant in made)}
    drawn = random.Random(seed)
    for _ in range(100 * len(made)):
        first = drawn.choice(made)
        tree = ast.parse(first.source)
        edit = drawn.choice(list(_edits(tree, main)))
        changed = _edited(tree, edit)
        if changed is not None and changed not in seen:
            seen.add(changed)
            yield Mutant(f"{first.kind} + {edit.kind}", changed)


def reason(kind: str) -> str | None:
    """Why mutants of this kind may compute the same; None where a person has to find out."""
    reasons = [REASONS.get(one) for one in kind.split(" + ")]
    return None if None in reasons else "; ".join(filter(None, dict.fromkeys(reasons)))


def difference(source: str, mutant: str) -> str:
    """The lines that differ, those of the original with `-`, those of the mutant with `+`."""
    lines = difflib.unified_diff(ast.unparse(ast.parse(source)).split("\n"), mutant.split("\n"), n=0, lineterm="")
    return "\n".join(f"{line[0]} {line[1:].strip()}" for line in itertools.islice(lines, 2, None) if line[0] in "+-")


class _Edit(NamedTuple):
    """What an operator would put in the place of a node."""

    kind: str
    node: ast.AST
    text: str


def _edits(tree: ast.Module, main: str) -> Iterator[_Edit]:
    """Every single change; the nodes are numbered, so that they are found in a copy."""
    for number, node in enumerate(ast.walk(tree)):
        node.number = number  # type: ignore[attr-defined]  # a mark of ours on the tree
    (owner,) = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == main]
    attributes = tuple(dict.fromkeys(node.attr for node in ast.walk(owner) if _is_set_on_self(node)))
    for function in (node for node in owner.body if isinstance(node, ast.FunctionDef)):
        scope = Scope(function.name, _names(function), attributes)
        for node in _changeable(function):
            for kind, operator in OPERATORS.items():
                yield from (_Edit(kind, node, text) for text in operator(node, scope))


def _edited(tree: ast.Module, edit: _Edit) -> str | None:
    """The source with the change; None where that is no Python."""
    try:
        put: list[Any] = ast.parse(edit.text).body
    except SyntaxError:
        return None
    if isinstance(edit.node, ast.expr):
        if not isinstance(put[0], ast.Expr):
            return None
        put = [put[0].value]
    changed = _Put(edit.node, put).visit(copy.deepcopy(tree))
    return ast.unparse(ast.fix_missing_locations(changed))


class _Put(ast.NodeTransformer):
    """Puts nodes in the place of one, also in a copy: nodes are told apart by their numbers."""

    def __init__(self, node: Any, put: list[Any]) -> None:
        self._number, self._put = node.number, put

    def visit(self, node: ast.AST) -> Any:
        if getattr(node, "number", None) == self._number:
            return self._put if isinstance(node, ast.stmt) else self._put[0]
        return self.generic_visit(node)


def _changeable(node: ast.AST) -> Iterator[ast.AST]:
    """The node and what lies below it, without annotations and docstrings."""
    yield node
    for child in ast.iter_child_nodes(node):
        annotation = isinstance(child, ast.arg) or child is getattr(node, "returns", None)
        words = isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)
        if not annotation and not words:
            yield from _changeable(child)


def _names(function: ast.FunctionDef) -> tuple[str, ...]:
    """Parameters but `self`, and everything that is assigned."""
    given = [argument.arg for argument in (*function.args.args[1:], function.args.kwarg) if argument]
    stored = [node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    return tuple(dict.fromkeys((*given, *stored)))


def _is_set_on_self(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and text_of(node.value) == "self"
