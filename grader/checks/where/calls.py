"""Calls for `flow`: of layers, of functions of torch, of what stands in the file."""

from __future__ import annotations

import ast
from itertools import zip_longest
from typing import TYPE_CHECKING

from grader.checks.where.expressions import Expressions
from grader.checks.where.terms import (
    SUBLAYERS,
    Closure,
    Given,
    Instance,
    Named,
    Part,
    Term,
    Value,
    below,
    kind_of_class,
    kind_of_definition,
)

if TYPE_CHECKING:
    from grader.checks.where.flow import Path

SAME = {"clone", "contiguous", "requires_grad_", "checkpoint"}
MADE_ANEW = {"zeros_like", "ones_like", "empty_like", "full_like", "rand_like", "randn_like", "bernoulli", "size",
             "dim", "numel", "backward", "eval", "type"}  # fmt: skip
FUNCTIONS = {
    **dict.fromkeys(("layer_norm", "rms_norm", "batch_norm", "group_norm", "normalize"), "norm"),
    **dict.fromkeys(("add", "sum"), "sum"),
    **dict.fromkeys(("sub", "subtract", "rsub"), "difference"),
    **dict.fromkeys(("mul", "multiply", "div", "divide", "true_divide"), "product"),
    **dict.fromkeys(("cat", "stack", "concat", "concatenate", "hstack", "vstack"), "joined"),
    **dict.fromkeys(("mean", "amax", "amin", "max", "min", "narrow", "select", "prod", "norm"), "cut"),
    **dict.fromkeys(("detach",), "detached"),
    **dict.fromkeys(("float", "double", "half", "bfloat16", "to", "cuda", "cpu", "type_as"), "cast"),
    **dict.fromkeys(("view", "reshape", "transpose", "permute", "squeeze", "unsqueeze", "flatten", "expand",
                     "unflatten", "swapaxes", "movedim", "chunk", "split", "t"), "moved"),
    "scaled_dot_product_attention": "att",
}  # fmt: skip


class Calls(Expressions):
    """Calls. Statements, and the inside of functions, are the machine's."""

    def _call(self, node: ast.Call, path: Path) -> Value:
        args: list[Value] = []
        for one in node.args:
            found = self.value(one, path)
            args += (self.items(found) or [found]) if isinstance(one, ast.Starred) else [found]
        keywords = {one.arg: self.value(one.value, path) for one in node.keywords if one.arg is not None}
        if isinstance(node.func, ast.Attribute):
            owner = self.value(node.func.value, path)
            if not isinstance(owner, Instance | Named):
                return self.method(owner, args, node, path)
            if isinstance(owner, Instance) and node.func.attr in ("forward", "__call__"):
                return self.apply(owner, args, keywords, node, path)
        return self.apply(self.value(node.func, path), args, keywords, node, path)

    def method(self, owner: Value, args: list[Value], node: ast.Call, path: Path) -> Value:
        """A method of a term, a layer or a list."""
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if isinstance(owner, Term):
            if name.endswith("_") and not name.startswith("requires_grad"):
                path.changed.append((node, owner))
            alone = "cut" if name == "sum" else None
            return self.function(name.removesuffix("_"), [owner, *args], node, path, alone)
        if isinstance(owner, Part) and owner.kind == "list" and name in ("append", "add_module", "insert", "extend"):
            owner.items += args[-1:] if name != "extend" else self.items(args[0]) or [] if args else []
            return None
        if isinstance(owner, Part) and name in ("items", "values", "keys", "to", "train", "eval", "float", "double"):
            return owner
        if isinstance(owner, Part) and name in ("forward", "__call__"):
            return self.apply(owner, args, {}, node, path)
        terms = tuple(one for one in args if isinstance(one, Term))
        return self.made("other", terms, node, path) if terms else None

    def apply(self, called: Value, args: list[Value], keywords: dict[str, Value], node: ast.AST, path: Path) -> Value:
        """Call anything."""
        terms = tuple(one for one in (*args, *keywords.values()) if isinstance(one, Term))
        if isinstance(called, Part):
            return self.layer(called, terms, node, path)
        if isinstance(called, Given):
            return self.made("sublayer", terms[:1], node, path) if terms else None
        if isinstance(called, Named):
            return self.named(called.name, args, keywords, node, path)
        if isinstance(called, Instance):
            method = self.code.method(called.cls, "forward") or self.code.method(called.cls, "__call__")
            closure = Closure(method, called) if method is not None else None
            kind = kind_of_definition(self.code, called.cls)
        else:
            closure = called if isinstance(called, Closure) else None
            function = closure.function if closure is not None else None
            kind = kind_of_definition(self.code, function) if isinstance(function, ast.FunctionDef) else None
        if closure is None:
            return self.made("other", terms, node, path) if terms else None
        if kind is not None and terms:
            return self.made(kind, terms[:1], node, path)
        count = len(path.made)
        return self.whole(self.inline(closure, args, keywords, path), terms, node, path, count)

    def whole(self, result: Value, given: tuple[Term, ...], node: ast.AST, path: Path, count: int) -> Value:
        """What a function gave: one feed forward or activation where it is nothing but that, else all its terms."""
        if not isinstance(result, Term) or len(given) != 1 or result is given[0]:
            return result
        inside = [term for term in below(result) if term in path.made[count:]]
        kinds = {term.kind for term in inside}
        joined = any(term.kind == "sum" and given[0] in term.args for term in inside)
        if kinds & {"norm", *SUBLAYERS, "detached", "other"} or not kinds & {"act", "product"} | {"linear"}:
            return result
        if "linear" in kinds and (joined or "act" not in kinds):
            return result
        del path.made[count:]
        return self.made("ffn" if "linear" in kinds else "act", given, node, path)

    def layer(self, part: Part, terms: tuple[Term, ...], node: ast.AST, path: Path) -> Value:
        """Call a layer."""
        if not terms:
            return None
        if part.kind == "identity":
            return terms[0]
        if part.kind != "sequence":
            kind = "other" if part.kind == "list" else part.kind
            return self.made(kind, terms[:1], node, path, part)
        kinds = {one.kind for one in part.items if isinstance(one, Part)}
        if "linear" in kinds and kinds <= {"linear", "act", "drop"} and all(isinstance(i, Part) for i in part.items):
            return self.made("ffn", terms[:1], node, path, part)
        found: Value = terms[0]
        known = part.places if len(part.places) == len(part.items) else []
        for item, place in zip_longest(part.items, known):
            found = self.apply(item, [found], {}, place or (item.node if isinstance(item, Part) else node), path)
        return found

    def named(self, name: str, args: list[Value], keywords: dict[str, Value], node: ast.AST, path: Path) -> Value:
        """Call something of another module, or a class of the file."""
        last = name.rsplit(".", 1)[-1]
        if (cls := self.code.classes.get(name)) is not None:
            return self.instance(cls, args, keywords, node, path)
        if last in ("zip", "enumerate", "list", "tuple", "reversed", "iter"):
            return self.sequence(last, args, node)
        kind = kind_of_class(last)
        if kind is not None and last[:1].isupper():
            items = [one for arg in args for one in (self.items(arg) if kind == "list" else None) or [arg]]
            places: list[ast.AST] = [one for one in getattr(node, "args", []) if not isinstance(one, ast.Starred)]
            return Part(kind, node, items, places) if kind in ("sequence", "list") else Part(kind, node)
        if last == "checkpoint" and args:
            return self.apply(args[0], args[1:], {}, node, path)
        if last == "Parameter":
            return None
        return self.function(last, [*args, *keywords.values()], node, path)

    def instance(
        self, cls: ast.ClassDef, args: list[Value], keywords: dict[str, Value], node: ast.AST, path: Path
    ) -> Value:
        """Build an object of a class of the file."""
        if (kind := kind_of_definition(self.code, cls)) is not None:
            return Part(kind, node)
        me = Instance(cls)
        if (init := self.code.method(cls, "__init__")) is not None:
            self.inline(Closure(init, me), args, keywords, path)
        return me

    def sequence(self, name: str, args: list[Value], node: ast.AST) -> Value:
        """`zip`, `enumerate` and their like, as far as their items are known."""
        known = [self.items(arg) for arg in args]
        if name == "zip" and any(known):
            rows = zip_longest(*([None] if items is None else items for items in known))
            return Part("list", node, list(rows))
        if not known or known[0] is None:
            return None
        items = known[0][::-1] if name == "reversed" else known[0]
        return Part("list", node, [(None, one) for one in items] if name == "enumerate" else items)

    def function(self, name: str, args: list[Value], node: ast.AST, path: Path, alone: str | None = None) -> Value:
        """A function of torch, or a method of a tensor. `alone`: its kind where there is just one term."""
        terms = tuple(one for arg in args for one in (self.items(arg) or [arg]) if isinstance(one, Term))
        if not terms or name in MADE_ANEW:
            return None
        if name in SAME:
            return terms[0]
        kind = FUNCTIONS.get(name) or kind_of_class(name) or "other"
        if kind in ("sum", "difference", "product", "joined") and len(terms) < 2:
            kind = alone or ("scaled" if kind == "product" else "other")
        if kind in ("sum", "difference") and any(one.arg == "alpha" for one in getattr(node, "keywords", [])):
            terms = (terms[0], self.made("scaled", terms[1:2], node, path))
        return self.made(kind, terms if kind in ("sum", "difference", "product", "joined", "other") else terms[:1],
                         node, path)  # fmt: skip
