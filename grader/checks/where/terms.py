"""What a forward works on when it is read instead of run: terms in place of tensors, parts in place of layers.

Kinds of terms: `x` the argument; `sublayer`, `att`, `ffn`, `linear`, `act`, `norm`, `drop` calls of layers; `sum`,
`difference`, `product`, `joined` (side by side) of several terms; `scaled`, `cut` (a mean, a slice), `detached`,
`moved` (another order or shape), `cast`; `other` for what is not known.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from grader.checks.where.code import Code, Function, calls_in, last_name

JOINS = {"sum", "difference", "product", "joined"}
SUBLAYERS = {"sublayer", "att", "ffn"}
ROOTS = {"var", "std", "pow", "sqrt", "rsqrt", "square"}
_CLASSES = (
    (r"sequential", "sequence"),
    (r"module(list|dict)|parameterlist", "list"),
    (r"identity", "identity"),
    (r"dropout\w*", "drop"),
    (r"\w*norm\d?d?|ln", "norm"),
    (
        r"(new|quick|fast)?gelu\w*|relu6?|leakyrelu|[csp]?r?elu|selu|silu|swish|mish|tanh|sigmoid|softplus|hard\w+",
        "act",
    ),
    (r"(lazy)?linear|conv1d", "linear"),
    (r"\w*attention|mha", "att"),
    (r"\w*feed_?forward|mlp|ffn", "ffn"),
)
_ATTRIBUTES = ((r".*norm.*|ln_?\d*", "norm"), (r".*drop.*", "drop"), (r".*att.*|mha", "att"),
               (r"ffn?\d*|.*feed.*|mlp\d*", "ffn"), (r".*(gelu|relu)|act\w*", "act"))  # fmt: skip


@dataclass(frozen=True, eq=False)
class Term:
    """A tensor; `node` is the expression that made it, `part` the layer that did."""

    kind: str
    args: tuple[Term, ...]
    node: ast.AST
    part: Part | None = None


@dataclass(eq=False)
class Part:
    """A layer, or a list of them; `node` is the expression that built it, `places` those of its items."""

    kind: str
    node: ast.AST
    items: list[Value] = field(default_factory=list)
    places: list[ast.AST] = field(default_factory=list)


@dataclass(eq=False)
class Instance:
    """An object of a class of the file."""

    cls: ast.ClassDef
    attributes: dict[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Closure:
    """A function of the file, a method with its object, or a lambda with the names around it."""

    function: Function | ast.Lambda
    me: Instance | None = None
    around: dict[str, Value] = field(default_factory=dict)


@dataclass(frozen=True)
class Named:
    """A name of another module, such as `nn.functional.gelu`."""

    name: str


@dataclass(frozen=True)
class Given:
    """An argument of the constructor."""

    name: str


Value: TypeAlias = Term | Part | Instance | Closure | Named | Given | tuple["Value", ...] | None


def kind_of_class(name: str) -> str | None:
    """What a class of torch or of the building blocks makes, by its name."""
    return next((kind for pattern, kind in _CLASSES if re.fullmatch(pattern, name.lower())), None)


def kind_of_attribute(name: str) -> str | None:
    """A guess for an attribute whose making was not seen."""
    return next((kind for pattern, kind in _ATTRIBUTES if re.fullmatch(pattern, name.lower())), None)


def kind_of_definition(code: Code, node: ast.ClassDef | Function) -> str | None:
    """A class or function of the file that computes a norm or an attention by hand."""
    body: ast.AST | None = code.method(node, "forward") if isinstance(node, ast.ClassDef) else node
    called = {last_name(call) for call in calls_in(body)} if body is not None else set()
    if ("mean" in called and ROOTS & called) or "var_mean" in called:
        return "norm"
    return "att" if {"softmax", "scaled_dot_product_attention"} & called else None


def below(term: Term) -> Iterator[Term]:
    """The term and all that it is made of, each once, what was made first comes first."""
    seen: set[int] = set()
    waiting: list[tuple[Term, bool]] = [(term, False)]
    while waiting:
        one, finished = waiting.pop()
        if finished:
            yield one
        elif id(one) not in seen:
            seen.add(id(one))
            waiting.append((one, True))
            waiting += [(arg, False) for arg in reversed(one.args)]


def bare(term: Term) -> Term:
    """The term without what leaves its values as they are."""
    while term.kind in ("cast", "detached") and len(term.args) == 1:
        term = term.args[0]
    return term
