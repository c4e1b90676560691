"""From a tag to a line: along the paths through `forward` (`rules`), then in how the class is built and written."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from grader.checks.where import built, rules, written
from grader.checks.where.code import Code, Function, Place, place
from grader.checks.where.flow import paths
from grader.checks.where.members import around

MOST_NODES = 5_000  # of a class and what it uses: some rules look at each pair of expressions
SIMPLE = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return, ast.Expr, ast.Assert, ast.Raise)
HEADED = (ast.For, ast.If, ast.With, ast.While)
CLASS_FIRST = {"wrong-mask", "needless-mask", "shared-norm", "attention-wrong-axis", "missing-activation",
               "shortcut-flag-ignored"}  # fmt: skip


def place_of(code: Code, tag: str, half: str | None = None, asked: Code | None = None) -> Place | None:
    """(cell, line) of the mistake `tag` in the class; `asked` is the solution, for what its `def` lines look like."""
    try:
        return found(code, tag, half, asked)
    except Exception:  # what students write has no bounds, and a line that is missing costs nobody anything
        return None


def found(code: Code, tag: str, half: str | None, asked: Code | None) -> Place | None:
    """As `place_of`, for code that is understood."""
    if code.cls is None or sum(1 for tree in around(code) for _ in ast.walk(tree)) > MOST_NODES:
        return None
    if tag == "not-a-module":
        return place(code.cls)
    if tag == "wrong-signature":
        return _signature(code, asked)
    along = rules.shown(tag, half, paths(code)) if tag in rules.BY_BRANCH | rules.BY_PATH else []
    if tag == "shortcut-flag-ignored" and code.forward is not None:
        along = [node for node in along if any(node is one for one in ast.walk(code.forward))]
    rule = (built.BUILT | written.WRITTEN).get(tag)
    seen = list(rule(code)) if rule is not None else []
    if along and not (tag in CLASS_FIRST and seen):
        return place(along[0])
    return place(seen[0]) if seen and tag in built.EACH | written.EACH else narrowest(code, seen)


def narrowest(code: Code, nodes: Sequence[ast.AST]) -> Place | None:
    """The line that holds all of these; the head of their statement if they are in several lines of one.

    Also the head of a loop or condition that holds nothing else. None where they are in different places.
    """
    lines = list(dict.fromkeys(map(place, nodes)))
    if len(lines) < 2:
        return lines[0] if lines else None
    statements = [one for top in code.statements for one in ast.walk(top) if isinstance(one, SIMPLE)]
    holding = [one for one in statements if any(node is inner for node in nodes for inner in ast.walk(one))]
    if len(holding) == 1 and all(any(node is inner for inner in ast.walk(holding[0])) for node in nodes):
        return place(holding[0])
    headed = [one for top in code.statements for one in ast.walk(top) if isinstance(one, HEADED)]
    fitting = [one for one in headed if all(any(inner is s for inner in holding) for s in one.body) and
               len(one.body) == len(holding) and not getattr(one, "orelse", [])]  # fmt: skip
    return place(fitting[0]) if fitting else None


def _signature(code: Code, asked: Code | None) -> Place | None:
    """The first `def` line, of the constructor or of forward, that has other arguments than the solution's."""
    if asked is None or asked.cls is None or code.cls is None:
        return None
    mine = code.method(code.cls, "__init__"), code.forward
    theirs = asked.method(asked.cls, "__init__"), asked.forward
    for own, other in zip(mine, theirs, strict=True):
        if own is not None and other is not None and _arguments(own) != _arguments(other):
            return place(own)
    return None


def _arguments(function: Function) -> tuple[object, ...]:
    """What a call sees: names, defaults, and whether there may be more."""
    args = function.args
    names = [one.arg for one in (*args.posonlyargs, *args.args, *args.kwonlyargs)]
    defaults = [ast.unparse(one) for one in (*args.defaults, *args.kw_defaults) if one is not None]
    return names, defaults, args.vararg is None, args.kwarg is None
