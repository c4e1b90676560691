"""What a student's file defines, as syntax trees: the class under check, its methods, what stands beside it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

Function = ast.FunctionDef | ast.AsyncFunctionDef
Place = tuple[int | None, int]
BLOCKS = (ast.If, ast.Try, ast.With)


class Code:
    """The statements of a file, and its class `name`. `forward` says where that class's forward stands, if it is known.

    A class that is made in a way that cannot be read here (by `exec`, by a function) has no `cls`.
    """

    def __init__(self, modules: Sequence[ast.Module], name: str, forward: Place | None = None) -> None:
        self.statements = [statement for module in modules for statement in top_level(module.body)]
        self.classes = {one.name: one for one in self.statements if isinstance(one, ast.ClassDef)}
        self.functions = {one.name: one for one in self.statements if isinstance(one, Function)}
        self.name, self.cls, self.forward = name, self.classes.get(name), None
        everything = [node for one in self.statements for node in ast.walk(one) if isinstance(node, Function)]
        found = [node for node in everything if forward in (place(node), place(node, first(node)))]
        if forward is not None:
            self.forward = found[-1] if found else None
            everywhere = [node for one in self.statements for node in ast.walk(one) if isinstance(node, ast.ClassDef)]
            owner = next((one for one in everywhere if self.forward in one.body), None)
            inherits = self.cls is not None and self.method(self.cls, "forward") is self.forward
            if self.forward is None or not (inherits or owner is not None or self.forward in self.statements):
                self.cls = None
            elif owner is not None and not inherits:
                self.cls = owner
        elif self.cls is not None:
            self.forward = self.method(self.cls, "forward")

    def headline(self) -> Place | None:
        """Where the class begins, if it is defined just once."""
        found = [one for one in self.statements if isinstance(one, ast.ClassDef) and one.name == self.name]
        return place(found[0]) if len(found) == 1 else None

    def method(self, cls: ast.ClassDef, name: str) -> Function | None:
        """A method of a class of this file, also one that it inherits from another class of this file."""
        seen: list[ast.ClassDef] = []
        waiting = [cls]
        while waiting:
            one = waiting.pop(0)
            if one in seen:
                continue
            seen.append(one)
            for member in reversed(one.body):
                if isinstance(member, Function) and member.name == name:
                    return member
            waiting += [self.classes[base.id] for base in one.bases if isinstance(base, ast.Name) and
                        base.id in self.classes]  # fmt: skip
        return None

    def used(self, roots: Sequence[ast.AST]) -> list[ast.AST]:
        """These trees, and the classes and functions of the file whose names occur in them, and so on."""
        found: list[ast.AST] = []
        waiting = list(roots)
        while waiting:
            node = waiting.pop(0)
            if node in found:
                continue
            found.append(node)
            for name in names_in(node):
                waiting += [one for one in (self.classes.get(name), self.functions.get(name)) if one is not None]
        return found


def top_level(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that run when the file is loaded, also inside `if`, `try` and `with`; not below `__main__`."""
    for statement in body:
        if isinstance(statement, BLOCKS) and not _is_main_guard(statement):
            for name in ("body", "orelse", "finalbody"):
                yield from top_level(getattr(statement, name, []))
            for handler in getattr(statement, "handlers", []):
                yield from top_level(handler.body)
        else:
            yield statement


def _is_main_guard(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and "__name__" in names_in(node.test)


def names_in(node: ast.AST) -> set[str]:
    """All names that are read or set in a tree."""
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


def first(node: ast.AST) -> ast.AST:
    """The first decorator of a definition, where Python says that it begins; else the node."""
    decorators = getattr(node, "decorator_list", [])
    return decorators[0] if decorators else node


def place(node: ast.AST, at: ast.AST | None = None) -> Place:
    """(cell, line) of a node."""
    return getattr(node, "cell", None), getattr(at or node, "lineno", 0)


def last_name(node: ast.AST) -> str:
    """`LayerNorm` of `nn.LayerNorm`, and of `nn.LayerNorm(8)`; empty where there is none."""
    if isinstance(node, ast.Call):
        return last_name(node.func)
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def calls_in(node: ast.AST) -> Iterator[ast.Call]:
    """All calls in a tree, in the order of their lines."""
    found = [one for one in ast.walk(node) if isinstance(one, ast.Call)]
    yield from sorted(found, key=lambda call: call.lineno)
