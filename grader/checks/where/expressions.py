"""Expressions for `flow`: which term, or which part, they give."""

from __future__ import annotations

import ast
from abc import abstractmethod
from typing import TYPE_CHECKING

from grader.checks.where.code import Code
from grader.checks.where.terms import Closure, Instance, Named, Part, Term, Value, kind_of_attribute

if TYPE_CHECKING:
    from grader.checks.where.flow import Path

OPERATORS = {ast.Add: "sum", ast.Sub: "difference", ast.Mult: "product", ast.Div: "product"}


MOST_TERMS = 1_500


class TooMuch(Exception):
    """More than is looked at."""


class Expressions:
    """Expressions. Calls are in `calls`; statements, and the inside of functions, are the machine's."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self.terms = 0

    @abstractmethod
    def _call(self, node: ast.Call, path: Path) -> Value:
        """Call something."""

    @abstractmethod
    def inline(self, closure: Closure, args: list[Value], keywords: dict[str, Value], path: Path) -> Value:
        """Run a function of the file."""

    # -- expressions

    def value(self, node: ast.expr, path: Path) -> Value:
        """What an expression is; what is not known is None, and its inner calls are still made."""
        visit = getattr(self, f"_{type(node).__name__.lower()}", None)
        if visit is not None:
            found: Value = visit(node, path)
            return found
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.value(child, path)
        return None

    def _name(self, node: ast.Name, path: Path) -> Value:
        if node.id in path.names:
            return path.names[node.id]
        function = self.code.functions.get(node.id)
        return Closure(function) if function is not None else Named(node.id)

    def _attribute(self, node: ast.Attribute, path: Path) -> Value:
        owner = self.value(node.value, path)
        if isinstance(owner, Named):
            return Named(f"{owner.name}.{node.attr}")
        if isinstance(owner, Term):
            kind = {"data": "detached", "T": "moved", "mT": "moved"}.get(node.attr)
            path.shapes += [node.value] if kind is None else []
            return self.made(kind, (owner,), node, path) if kind is not None else None
        if not isinstance(owner, Instance):
            return None
        if node.attr in owner.attributes:
            return owner.attributes[node.attr]
        if (method := self.code.method(owner.cls, node.attr)) is not None:
            return Closure(method, owner)
        kind = kind_of_attribute(node.attr)
        return Part(kind, node) if kind is not None else None

    def _tuple(self, node: ast.Tuple, path: Path) -> Value:
        return tuple(self.value(one, path) for one in node.elts)

    def _list(self, node: ast.List, path: Path) -> Value:
        return Part("list", node, [self.value(one, path) for one in node.elts])

    def _dict(self, node: ast.Dict, path: Path) -> Value:
        return Part("list", node, [self.value(one, path) for one in node.values])

    def _lambda(self, node: ast.Lambda, path: Path) -> Value:
        return Closure(node, None, path.names)

    def _starred(self, node: ast.Starred, path: Path) -> Value:
        return self.value(node.value, path)

    def _namedexpr(self, node: ast.NamedExpr, path: Path) -> Value:
        path.names[node.target.id] = found = self.value(node.value, path)
        return found

    def _ifexp(self, node: ast.IfExp, path: Path) -> Value:
        _, one, other = (self.value(part, path) for part in (node.test, node.body, node.orelse))
        if other is None or (isinstance(other, Part) and other.kind == "identity"):
            return one
        if one is None or (isinstance(one, Part) and one.kind == "identity"):
            return other
        if isinstance(one, Part) and isinstance(other, Part) and one.kind != other.kind:
            return None
        return one

    def _listcomp(self, node: ast.ListComp | ast.GeneratorExp, path: Path) -> Value:
        for generator in node.generators:
            items = self.items(self.value(generator.iter, path)) or [None]
            self.bind(generator.target, items[0], path)
        return Part("list", node, [self.value(node.elt, path) for _ in range(2)])

    _generatorexp = _listcomp

    def _binop(self, node: ast.BinOp, path: Path) -> Value:
        left, right = self.value(node.left, path), self.value(node.right, path)
        return self.combined(node.op, left, right, node, path)

    def _unaryop(self, node: ast.UnaryOp, path: Path) -> Value:
        found = self.value(node.operand, path)
        minus = isinstance(node.op, ast.USub)
        return self.made("scaled", (found,), node, path) if minus and isinstance(found, Term) else None

    def _subscript(self, node: ast.Subscript, path: Path) -> Value:
        owner, index = self.value(node.value, path), node.slice
        if isinstance(owner, Term):
            whole = owner.kind == "att" and isinstance(index, ast.Constant)
            return owner if whole else self.made("cut", (owner,), node, path)
        items = self.items(owner)
        if not items:
            return None
        if isinstance(index, ast.Slice):
            return Part("list", node, items)
        number = index.value if isinstance(index, ast.Constant) and isinstance(index.value, int) else 0
        return items[number] if -len(items) <= number < len(items) else items[0]

    @abstractmethod
    def bind(self, target: ast.expr, value: Value, path: Path) -> None:
        """Give a value its names."""

    def combined(self, operator: ast.operator, left: Value, right: Value, node: ast.AST, path: Path) -> Value:
        """Two operands: a join of two terms, a scaled term, or a list."""
        if isinstance(left, Part) and left.kind == "list":
            return Part("list", node, [*left.items, *(self.items(right) or [])])
        terms = tuple(one for one in (left, right) if isinstance(one, Term))
        if not terms:
            return None
        kind = OPERATORS.get(type(operator), "other")
        if len(terms) == 1 and isinstance(operator, ast.Add | ast.Sub):
            return terms[0] if left is None and right is None else self.made("other", terms, node, path)
        return self.made(kind if len(terms) == 2 else "scaled", terms, node, path)

    def made(self, kind: str, args: tuple[Term, ...], node: ast.AST, path: Path, part: Part | None = None) -> Term:
        """A new term, remembered by the path."""
        self.terms += 1
        if self.terms > MOST_TERMS:
            raise TooMuch
        term = Term(kind, args, node, part)
        path.made.append(term)
        return term

    def items(self, value: Value) -> list[Value] | None:
        """The items of a list or tuple, None where they are not known."""
        if isinstance(value, tuple):
            return list(value)
        return list(value.items) if isinstance(value, Part) and value.kind in ("list", "sequence") else None
