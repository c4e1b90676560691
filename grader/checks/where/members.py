"""What belongs to a class: its constructors, the methods that its forward runs through, the layers that are built."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from grader.checks.where.code import Code, Function, calls_in, last_name, names_in
from grader.checks.where.terms import kind_of_class, kind_of_definition


def methods(code: Code) -> list[Function]:
    """The methods of the class and of those of its file that it builds on; a forward that was put in from outside."""
    classes = [code.cls] if code.cls is not None else []
    for cls in classes:
        bases = [code.classes[name] for base in cls.bases for name in names_in(base) if name in code.classes]
        classes += [base for base in bases if base not in classes]
    found = [one for cls in classes for one in cls.body if isinstance(one, Function)]
    return found if code.forward is None or code.forward in found else [*found, code.forward]


def constructors(code: Code) -> list[Function]:
    """`__init__` of the class, and of what it builds on."""
    return [one for one in methods(code) if one.name == "__init__"]


def running(code: Code) -> list[Function]:
    """The forward and the methods that it calls, one through the other."""
    found = [code.forward] if code.forward is not None else []
    others = [one for one in methods(code) if one.name != "__init__"]
    for function in found:
        named = {node.attr for node in ast.walk(function) if isinstance(node, ast.Attribute)}
        found += [one for one in others if one.name in named and one not in found]
    return found


def around(code: Code) -> list[ast.AST]:
    """The class's methods, and every class and function of the file that they use."""
    return code.used(methods(code))


def calls(trees: Iterable[ast.AST], *names: str) -> Iterator[ast.Call]:
    """Calls of these names."""
    return (call for tree in trees for call in calls_in(tree) if last_name(call) in names)


def builds(code: Code, trees: Iterable[ast.AST], *kinds: str) -> Iterator[ast.Call]:
    """Calls that build layers of these kinds, of torch, of the building blocks or of the file."""
    for call in (call for tree in trees for call in calls_in(tree)):
        name = last_name(call)
        local = code.classes.get(name)
        kind = kind_of_class(name) or (kind_of_definition(code, local) if local is not None else None)
        if kind in kinds and (name[:1].isupper() or local is not None):
            yield call


def argument(call: ast.Call, number: int | None, name: str) -> ast.expr | None:
    """An argument of a call, by its name or by its position."""
    named = next((one.value for one in call.keywords if one.arg == name), None)
    return call.args[number] if named is None and number is not None and len(call.args) > number else named


def is_constant(node: ast.expr | None, value: object) -> bool:
    """Whether it is this very constant."""
    return isinstance(node, ast.Constant) and node.value is value


def given(function: Function) -> set[str]:
    """The names of a function's arguments."""
    return {one.arg for one in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)}


def assignments(function: Function) -> Iterator[tuple[ast.expr, ast.expr, ast.Assign]]:
    """(target, value, statement) of each assignment in a function."""
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            yield from ((target, node.value, node) for target in node.targets)
