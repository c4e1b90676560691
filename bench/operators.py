"""What may stand in the place of a piece of code: the operators of `bench.mutation`.

An operator takes a node of a syntax tree and yields sources. It is asked for every node, and says nothing about most.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

OTHER_LAYERS = {  # erf GELU is left out: it passes, by a ruling
    "nn.LayerNorm": ("nn.RMSNorm", "nn.Identity"),
    "LayerNorm": ("nn.RMSNorm", "nn.Identity"),
    "nn.Dropout": ("nn.Identity", "nn.AlphaDropout", "nn.Dropout1d"),
    "GELU": ("nn.ReLU", "nn.SiLU", "nn.Identity"),
    "nn.Linear": ("nn.Identity",),
    "nn.ModuleList": ("list", "nn.Sequential"),
    "FeedForward": ("LayerNorm",),
}


class Scope(NamedTuple):
    """What a function may name: its own variables, and the attributes that the class sets on itself."""

    function: str
    names: tuple[str, ...]
    attributes: tuple[str, ...]


Operator = Callable[[ast.AST, Scope], Iterator[str]]


# Expressions ----------------------------------------------------------------------------------------------------------


def arithmetic(node: ast.AST, _: Scope) -> Iterator[str]:
    """Another operator."""
    if isinstance(node, ast.BinOp):
        yield from (f"({text_of(node.left)}) {sign} ({text_of(node.right)})" for sign in ("-", "*", "/"))


def operand(node: ast.AST, _: Scope) -> Iterator[str]:
    """One of the two only."""
    if isinstance(node, ast.BinOp):
        yield from (text_of(node.left), text_of(node.right))


def swapped_operands(node: ast.AST, _: Scope) -> Iterator[str]:
    """The same sum, the other way round."""
    if isinstance(node, ast.BinOp):
        yield f"({text_of(node.right)}) + ({text_of(node.left)})"


def factor(node: ast.AST, _: Scope) -> Iterator[str]:
    """One part counts more than the other, or both less."""
    if isinstance(node, ast.BinOp):
        left, right = text_of(node.left), text_of(node.right)
        yield from (f"2 * ({left}) + ({right})", f"({left}) + 0.5 * ({right})", f"(({left}) + ({right})) / 2")


def in_place(node: ast.AST, _: Scope) -> Iterator[str]:
    """The sum is written into one of its parts."""
    if isinstance(node, ast.BinOp):
        yield f"({text_of(node.left)}).add_({text_of(node.right)})"


def activation(node: ast.AST, scope: Scope) -> Iterator[str]:
    """An activation on a sum."""
    if isinstance(node, ast.BinOp) and scope.function == "forward":
        yield from (f"torch.{name}({text_of(node)})" for name in ("relu", "tanh"))


def moved(node: ast.AST, _: Scope) -> Iterator[str]:
    """`a + f(b)` becomes `f(a + b)` or `f(a) + b`."""
    if isinstance(node, ast.BinOp) and isinstance(node.right, ast.Call) and node.right.args:
        left, function, inner = text_of(node.left), text_of(node.right.func), text_of(node.right.args[0])
        yield from (f"{function}(({left}) + {inner})", f"{function}({left}) + {inner}")


def detached(node: ast.AST, scope: Scope) -> Iterator[str]:
    """No gradient through here."""
    loaded = isinstance(node, ast.Call | ast.BinOp) or (isinstance(node, ast.Name) and _loads(node, scope))
    if loaded and scope.function == "forward":
        yield f"({text_of(node)}).detach()"


def comparison(node: ast.AST, _: Scope) -> Iterator[str]:
    """The opposite comparison."""
    if isinstance(node, ast.Compare):
        yield f"{text_of(node.left)} != {text_of(node.comparators[0])}"


def partial_comparison(node: ast.AST, _: Scope) -> Iterator[str]:
    """One axis of a shape stands for all."""
    if isinstance(node, ast.Compare):
        yield from (f"{text_of(node.left)}[{at}] == {text_of(node.comparators[0])}[{at}]" for at in (0, -1))


def junction(node: ast.AST, _: Scope) -> Iterator[str]:
    """`or` for `and`, or one condition only."""
    if isinstance(node, ast.BoolOp):
        yield " or ".join(f"({text_of(value)})" for value in node.values)
        yield from map(text_of, node.values)


def condition(node: ast.AST, _: Scope) -> Iterator[str]:
    """A condition that always holds, never, or when it should not; branches exchanged."""
    if isinstance(node, ast.IfExp):
        body, test, other = text_of(node.body), text_of(node.test), text_of(node.orelse)
        yield from (f"({body}) if {test} else ({other})" for test in ("True", "False", f"not ({test})"))
        yield f"({other}) if {test} else ({body})"


def constant(node: ast.AST, _: Scope) -> Iterator[str]:
    """Another number."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        number = node.value
        others = (number + 1, number - 1) if isinstance(number, int) else (0.0, number / 2, 1 - number)
        yield from map(repr, [not number] if isinstance(number, bool) else others)


def key(node: ast.AST, _: Scope) -> Iterator[str]:
    """A key of the configuration gives way to a constant, or to another key."""
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        others = {"emb_dim", "context_length", "n_heads", "drop_rate", "qkv_bias"} - {node.slice.value}
        yield from (f"{text_of(node.value)}[{other!r}]" for other in sorted(others))
        yield from ("12", "4", "0.1", "False", "True")


# Calls and names ------------------------------------------------------------------------------------------------------


def skipped(node: ast.AST, _: Scope) -> Iterator[str]:
    """Its argument in place of a call."""
    if isinstance(node, ast.Call) and node.args:
        yield text_of(node.args[0])


def repeated(node: ast.AST, _: Scope) -> Iterator[str]:
    """A call on its own result."""
    if isinstance(node, ast.Call) and node.args:
        again = copy.deepcopy(node)
        again.args[0] = node
        yield text_of(again)


def exchanged(node: ast.AST, _: Scope) -> Iterator[str]:
    """`f(g(x))` becomes `g(f(x))`."""
    if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Call):
        outer = copy.deepcopy(node)
        inner: Any = outer.args[0]
        outer.func, inner.func = inner.func, outer.func
        outer.keywords, inner.keywords = inner.keywords, outer.keywords
        yield text_of(outer)


def dropped_argument(node: ast.AST, _: Scope) -> Iterator[str]:
    """One argument less."""
    if isinstance(node, ast.Call):
        for part, at in _arguments(node):
            fewer = copy.deepcopy(node)
            del getattr(fewer, part)[at]
            yield text_of(fewer)


def swapped_arguments(node: ast.AST, _: Scope) -> Iterator[str]:
    """Two arguments in each other's place."""
    if isinstance(node, ast.Call):
        for part, at in _arguments(node):
            other = copy.deepcopy(node)
            given = getattr(other, part)
            if at + 1 < len(given):
                first, second = given[at], given[at + 1]
                if part == "keywords":
                    first.value, second.value = second.value, first.value
                else:
                    given[at], given[at + 1] = second, first
                yield text_of(other)


def layer(node: ast.AST, _: Scope) -> Iterator[str]:
    """A layer of another kind."""
    if isinstance(node, ast.Call):
        arguments = text_of(node).removeprefix(text_of(node.func))
        yield from (other + arguments for other in OTHER_LAYERS.get(text_of(node.func), ()))


def attribute(node: ast.AST, scope: Scope) -> Iterator[str]:
    """Another attribute of the module."""
    if isinstance(node, ast.Attribute) and text_of(node.value) == "self" and node.attr in scope.attributes:
        yield from (f"self.{other}" for other in scope.attributes if other != node.attr)


def name(node: ast.AST, scope: Scope) -> Iterator[str]:
    """Another name of the same function."""
    if isinstance(node, ast.Name) and _loads(node, scope):
        yield from (other for other in scope.names if other != node.id)


# Statements -----------------------------------------------------------------------------------------------------------


def dropped(node: ast.AST, _: Scope) -> Iterator[str]:
    """One statement less."""
    if isinstance(node, ast.stmt) and not isinstance(node, ast.FunctionDef):
        yield "pass"


def duplicated(node: ast.AST, _: Scope) -> Iterator[str]:
    """One statement twice."""
    if isinstance(node, ast.Assign | ast.Expr):
        yield f"{text_of(node)}\n{text_of(node)}"


def hidden(node: ast.AST, _: Scope) -> Iterator[str]:
    """A part that the module does not know of: neither its parameters nor its mode reach it."""
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute):
        yield f"self.__dict__[{node.targets[0].attr!r}] = {text_of(node.value)}"


def returned(node: ast.AST, scope: Scope) -> Iterator[str]:
    """Another value returned."""
    if isinstance(node, ast.Return) and node.value is not None:
        values = (f"({text_of(node.value)}, None)", "None", *(name for name in scope.names if name != "kwargs"))
        yield from (f"return {value}" for value in values)


def loop(node: ast.AST, _: Scope) -> Iterator[str]:
    """A loop over fewer items, backwards, or with a return in its body."""
    if isinstance(node, ast.For):
        head, body = f"for {text_of(node.target)} in ", text_of(ast.Module(node.body, [])).replace("\n", "\n    ")
        items = f"list({text_of(node.iter)})"
        yield from (f"{head}{items}{cut}:\n    {body}" for cut in ("[1:]", "[:-1]", "[::-1]"))
        yield f"{head}{text_of(node.iter)}:\n    {body}\n    return x"


def bounded_loop(node: ast.AST, _: Scope) -> Iterator[str]:
    """A loop over at most five items."""
    if isinstance(node, ast.For):
        changed = copy.deepcopy(node)
        changed.iter = ast.parse(f"list({text_of(node.iter)})[:5]", mode="eval").body
        yield text_of(changed)


def generator(node: ast.AST, _: Scope) -> Iterator[str]:
    """The same of a comprehension."""
    if isinstance(node, ast.GeneratorExp):
        only = node.generators[0]
        items = (f"list({text_of(only.iter)}){cut}" for cut in ("[1:]", "[:-1]", "[::-1]", "[:1] * 5"))
        yield from (f"({text_of(node.elt)} for {text_of(only.target)} in {these})" for these in items)


def signature(node: ast.AST, _: Scope) -> Iterator[str]:
    """Parameters of a function in another order or without their default."""
    if isinstance(node, ast.FunctionDef):
        for at in range(1, len(node.args.args) - 1):
            other = copy.deepcopy(node)
            given = other.args.args
            given[at], given[at + 1] = given[at + 1], given[at]
            yield text_of(other)
        if node.args.defaults:
            other = copy.deepcopy(node)
            other.args.defaults = []
            yield text_of(other)


def ungraded(node: ast.AST, scope: Scope) -> Iterator[str]:
    """A forward pass that autograd does not record."""
    if isinstance(node, ast.FunctionDef) and node.name == "forward":
        yield f"@torch.no_grad()\n{text_of(node)}"


def swapped_statements(node: ast.AST, _: Scope) -> Iterator[str]:
    """Two neighbouring statements in each other's place."""
    if isinstance(node, ast.FunctionDef):
        for at in range(1, len(node.body) - 1):  # the first is super().__init__() or a docstring
            other = copy.deepcopy(node)
            other.body[at], other.body[at + 1] = other.body[at + 1], other.body[at]
            yield text_of(other)


# Reading nodes --------------------------------------------------------------------------------------------------------


def _loads(node: ast.Name, scope: Scope) -> bool:
    return isinstance(node.ctx, ast.Load) and node.id in scope.names


def _arguments(call: ast.Call) -> Iterator[tuple[str, int]]:
    """Where each argument stands: the list that holds it, and its place there."""
    for part in ("args", "keywords"):
        yield from ((part, at) for at in range(len(getattr(call, part))))


def text_of(node: ast.AST) -> str:
    """Its source."""
    return ast.unparse(node)


OPERATORS: dict[str, Operator] = {
    "arithmetic operator": arithmetic,
    "operand only": operand,
    "operands swapped": swapped_operands,
    "factor added": factor,
    "sum in place": in_place,
    "activation added": activation,
    "call moved": moved,
    "gradient cut": detached,
    "comparison negated": comparison,
    "shape compared in part": partial_comparison,
    "and, or": junction,
    "condition forced": condition,
    "constant changed": constant,
    "key changed": key,
    "call skipped": skipped,
    "call repeated": repeated,
    "calls exchanged": exchanged,
    "argument dropped": dropped_argument,
    "arguments swapped": swapped_arguments,
    "another layer": layer,
    "another attribute": attribute,
    "another name": name,
    "statement dropped": dropped,
    "statement duplicated": duplicated,
    "part hidden": hidden,
    "another return": returned,
    "loop changed": loop,
    "loop bounded": bounded_loop,
    "comprehension changed": generator,
    "signature changed": signature,
    "gradient off": ungraded,
    "statements swapped": swapped_statements,
}
