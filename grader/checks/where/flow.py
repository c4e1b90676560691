"""Runs the forward of a syntax tree on terms (see `terms`), along every path: what it computes, and where.

It knows a part of Python. What it does not know becomes `other` or None, and loops run twice; where even that says too
little (`while`, `break`, too much of anything) there are no paths at all. Nothing of it may fail a check.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace

from grader.checks.where.calls import Calls
from grader.checks.where.code import Code, Function
from grader.checks.where.expressions import TooMuch
from grader.checks.where.terms import Closure, Given, Instance, Part, Term, Value

MOST_PATHS = 64
MOST_STEPS = 5_000
MOST_INSIDE = 12
TURNS = 2
SHAPES = {"shape", "size", "in_features", "out_features"}
NOTHING = (ast.Pass, ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal, ast.ClassDef)


@dataclass
class Path:
    """One way through a function: the names, what was called, what was changed in place, and what it returned.

    `replaced` are terms that lost their name to another value, with the name's place.
    `chosen`: a condition on shapes or on an argument of the constructor was met on the way.
    """

    names: dict[str, Value] = field(default_factory=dict)
    made: list[Term] = field(default_factory=list)
    changed: list[tuple[ast.AST, Term]] = field(default_factory=list)
    replaced: list[tuple[ast.AST, Term]] = field(default_factory=list)
    shapes: list[ast.AST] = field(default_factory=list)
    result: Value = None
    ended: bool = False
    returned: ast.AST | None = None
    chosen: bool = False

    def asked_shape(self, node: ast.AST) -> bool:
        """Whether something else than its values was read of what an expression gave."""
        return any(one is node for one in self.shapes)

    def fork(self) -> Path:
        """Another way from here on."""
        return replace(self, names=dict(self.names), made=list(self.made), changed=list(self.changed),
                       replaced=list(self.replaced))  # fmt: skip


def paths(code: Code) -> list[Path]:
    """All ways through the forward of the class, with a term as result where it is known."""
    if code.cls is None or code.forward is None:
        return []
    try:
        return _Machine(code).forward(code.cls, code.forward)
    except (TooMuch, RecursionError):
        return []


class _Machine(Calls):
    """Statements; expressions and calls are in `calls`."""

    def __init__(self, code: Code) -> None:
        super().__init__(code)
        self.steps = self.inside = 0

    def forward(self, cls: ast.ClassDef, function: Function) -> list[Path]:
        me = Instance(cls)
        if (init := self.code.method(cls, "__init__")) is not None:
            names: dict[str, Value] = {argument.arg: Given(argument.arg) for argument in arguments(init)[1:]}
            self.block(init.body, [Path({arguments(init)[0].arg: me, **names})] if arguments(init) else [])
        own = arguments(function)
        if len(own) < 2:
            return []
        start = Path({own[0].arg: me, own[1].arg: Term("x", (), function)})
        return self.block(function.body, [start])

    def inline(self, closure: Closure, args: list[Value], keywords: dict[str, Value], path: Path) -> Value:
        """The result of a function of the file, along the path that joins the most."""
        self.inside += 1
        self.steps += 1
        if self.inside > MOST_INSIDE or self.steps > MOST_STEPS:
            raise TooMuch
        function = closure.function
        names = [argument.arg for argument in arguments(function)]
        given = [closure.me, *args] if closure.me is not None else args
        bound = {**closure.around, **dict(zip(names, given, strict=False)), **keywords}
        if function.args.vararg is not None:
            bound[function.args.vararg.arg] = tuple(given[len(names) :])
        start = Path(bound, path.made, path.changed)
        if isinstance(function, ast.Lambda):
            result = self.value(function.body, start)
        else:
            ends = self.block(function.body, [replace(start, made=[], changed=[])])
            best = max(ends, key=lambda end: sum(term.kind == "sum" for term in end.made), default=start)
            path.made += best.made
            path.changed += best.changed
            result = best.result
        self.inside -= 1
        return result

    def block(self, body: list[ast.stmt], ways: list[Path]) -> list[Path]:
        """All ways through these statements."""
        for statement in body:
            ended = [way for way in ways if way.ended]
            ways = ended + [after for way in ways if not way.ended for after in self.step(statement, way)]
            if len(ways) > MOST_PATHS:
                raise TooMuch
        return ways

    def step(self, node: ast.stmt, path: Path) -> list[Path]:
        """The ways on from one statement."""
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise TooMuch
        value = getattr(node, "value", None)
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.Return | ast.Expr) and isinstance(value, ast.IfExp):
            self.choose(value.test, path)
            return [after for one in (value.body, value.orelse) for after in self.simple(node, one, path.fork())]
        if isinstance(node, ast.If):
            self.choose(node.test, path)
            return [after for body in (node.body, node.orelse) for after in self.block(body, [path.fork()])]
        if isinstance(node, ast.For):
            return self.loop(node, path)
        if isinstance(node, ast.With):
            for item in node.items:
                self.value(item.context_expr, path)
            return self.block(node.body, [path])
        if isinstance(node, ast.Try):
            return self.block([*node.body, *node.orelse, *node.finalbody], [path])
        return self.simple(node, value, path)

    def choose(self, test: ast.expr, path: Path) -> None:
        """A condition: what is called in it, and whether it is one that a shortcut may depend on."""
        self.value(test, path)
        asked = [one for one in ast.walk(test) if isinstance(one, ast.Name | ast.Attribute)]
        shapes = any(isinstance(one, ast.Attribute) and one.attr in SHAPES for one in asked)
        path.chosen = path.chosen or shapes or any(isinstance(self.value(one, path), Given) for one in asked)

    def simple(self, node: ast.stmt, value: ast.expr | None, path: Path) -> list[Path]:
        """A statement without statements in it."""
        if isinstance(node, ast.Raise):
            return []
        if isinstance(node, Function):
            path.names[node.name] = Closure(node, None, path.names)
        elif isinstance(node, ast.AugAssign):
            self.change(node, path)
        elif isinstance(node, ast.Assert):
            self.value(node.test, path)
        elif isinstance(node, ast.Assign | ast.AnnAssign | ast.Return | ast.Expr):
            found = self.value(value, path) if value is not None else None
            for target in targets(node):
                self.bind(target, found, path)
            if isinstance(node, ast.Return):
                return [replace(path, result=found, ended=True, returned=node)]
        elif not isinstance(node, NOTHING):
            raise TooMuch
        return [path]

    def loop(self, node: ast.For, path: Path) -> list[Path]:
        """The turns of a loop over known parts, or two turns over what is not known."""
        over = self.items(self.value(node.iter, path))
        ways = [path]
        for item in over if over is not None else [None] * TURNS:
            for way in ways:
                if not way.ended:
                    self.bind(node.target, item, way)
            ways = self.block(node.body, ways)
        return self.block(node.orelse, ways)

    def change(self, node: ast.AugAssign, path: Path) -> None:
        """`a += b`: the sum has a new name, and where `a` is a tensor, its values are changed."""
        operand = ast.Name(node.target.id, ast.Load()) if isinstance(node.target, ast.Name) else node.target
        old = self.value(operand, path)
        new = self.combined(node.op, old, self.value(node.value, path), node, path)
        if isinstance(old, Term):
            path.changed.append((node, old))
        self.bind(node.target, new, path)

    def bind(self, target: ast.expr, value: Value, path: Path) -> None:
        """Give a value its names."""
        if isinstance(target, ast.Name):
            if isinstance(old := path.names.get(target.id), Term):
                path.replaced.append((target, old))
            path.names[target.id] = value
        elif isinstance(target, ast.Attribute):
            owner = self.value(target.value, path)
            if isinstance(owner, Instance):
                owner.attributes[target.attr] = value
        elif isinstance(target, ast.Tuple | ast.List):
            items = self.items(value)
            items = [value] if items is None and isinstance(value, Term) else items or []
            for number, one in enumerate(target.elts):
                self.bind(one, items[number] if number < len(items) else None, path)
        elif isinstance(target, ast.Subscript):
            owner = self.value(target.value, path)
            if isinstance(owner, Part):
                owner.items.append(value)
            elif isinstance(owner, Term):
                path.changed.append((target, owner))


def arguments(function: Function | ast.Lambda) -> list[ast.arg]:
    """The named arguments, `self` first."""
    return [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]


def targets(node: ast.stmt) -> list[ast.expr]:
    """What an assignment gives names to."""
    if isinstance(node, ast.Assign):
        return node.targets
    return [node.target] if isinstance(node, ast.AnnAssign) and node.value is not None else []
