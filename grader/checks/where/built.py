"""Mistakes in how a class builds its layers: which expression of its constructor may hold them.

As in `rules`, a rule is asked only about a mistake that a check has found by running the code. Its candidates are
expressions that are plausible; several of them in different statements say nothing (see `place`), except for rules in
EACH, where each of them is a mistake by itself.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from grader.checks.where.code import Code, Function, calls_in, last_name, names_in
from grader.checks.where.members import (
    argument,
    around,
    assignments,
    builds,
    calls,
    constructors,
    given,
    is_constant,
    methods,
    running,
)

INITS = {"zeros_", "ones_", "constant_", "normal_", "uniform_", "trunc_normal_", "xavier_uniform_", "xavier_normal_",
         "kaiming_uniform_", "kaiming_normal_", "orthogonal_", "zero_", "fill_", "eye_", "sparse_"}  # fmt: skip
LAYERS = ("norm", "linear", "att", "ffn", "sequence", "drop", "act")
LISTS = (ast.List, ast.Tuple, ast.Dict, ast.ListComp, ast.DictComp, ast.GeneratorExp)
TENSORS = ("randn", "rand", "ones", "zeros", "tensor", "partial")
USUAL_WIDTH = 4
EACH = {"wrong-norm"}

Nodes = Iterator[ast.AST]


def wrong_init(code: Code) -> Nodes:
    """What sets weights, outside of the forward."""
    outside = [function for function in methods(code) if function is not code.forward]
    yield from calls(outside, *INITS)


def dropout_rate(code: Code) -> Nodes:
    """A dropout whose rate is no argument of the constructor as it came."""
    for function in constructors(code):
        plain = given(function) | {name for target, value, _ in assignments(function)
                                   if isinstance(value, ast.Subscript | ast.Name | ast.Attribute | ast.Tuple)
                                   for name in names_in(target)}  # fmt: skip
        for call in builds(code, [function], "drop"):
            rate = argument(call, 0, "p")
            read = isinstance(rate, ast.Subscript | ast.Attribute) and names_in(rate) <= {*plain, "self"}
            if not read and not (isinstance(rate, ast.Name) and rate.id in plain):
                yield call
    for call in calls(running(code), "dropout"):
        rate = argument(call, 1, "p")
        if ast.unparse(call.func) != "self.dropout" and (rate is None or isinstance(rate, ast.Constant | ast.BinOp)):
            yield call


def missing_bias(code: Code) -> Nodes:
    """A linear layer that is told to have none."""
    for call in builds(code, around(code), "linear"):
        if is_constant(argument(call, 2, "bias"), False):
            yield call


def wrong_norm(code: Code) -> Nodes:
    """A norm that is no `LayerNorm`, or one without a trainable scale and shift."""
    for call in builds(code, constructors(code), "norm"):
        plain = any(is_constant(argument(call, None, name), False) for name in ("elementwise_affine", "bias"))
        if plain or last_name(call) in code.classes or last_name(call) != "LayerNorm":
            yield call


def fixed_size(code: Code) -> Nodes:
    """A layer with a size that follows no argument."""
    for function in constructors(code):
        known = given(function) | {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and
                                   isinstance(node.ctx, ast.Store)}  # fmt: skip
        layers = builds(code, [function], "linear", "norm", "att", "ffn")
        yield from (call for call in layers if any(_is_fixed(one, known) for one in call.args))


def wrong_size(code: Code) -> Nodes:
    """A layer with a size that follows no argument; else the loop that builds the layers, or their only call."""
    fixed = list(fixed_size(code))
    yield from fixed
    for function in constructors(code) if not fixed else []:
        linear = list(builds(code, [function], "linear"))
        loops = [node for node in ast.walk(function) if isinstance(node, ast.For) and
                 any(call in linear for call in calls_in(node))]  # fmt: skip
        yield from loops or linear


def _is_fixed(size: ast.expr, known: set[str]) -> bool:
    """A size that follows no argument: a number, a constant of the file, or an unusual multiple."""
    if isinstance(size, ast.BinOp) and isinstance(size.op, ast.Mult):
        return any(isinstance(one, ast.Constant) and one.value != USUAL_WIDTH for one in (size.left, size.right))
    if isinstance(size, ast.Constant):
        return isinstance(size.value, int) and not isinstance(size.value, bool)
    return isinstance(size, ast.Name) and size.id not in known


def shared(code: Code) -> Nodes:
    """One object under two names, one repeated in a list, one kept outside of the object, or made for the class."""
    for function in constructors(code):
        yield from (node for node in ast.walk(function) if _is_shared(node, given(function), code))
    for one in code.cls.body if code.cls is not None else []:
        if isinstance(one, ast.Assign) and any(builds(code, [one], *LAYERS)):
            yield one


def _is_shared(node: ast.AST, names: set[str], code: Code) -> bool:
    if isinstance(node, ast.Assign):
        twice = len(node.targets) > 1 and isinstance(node.value, ast.Call)
        return twice or _is_kept(node.value, names, code)
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.Mult) and (isinstance(node.left, ast.List) or isinstance(node.right, ast.List))
    return isinstance(node, ast.Call) and last_name(node) == "append" and _is_kept(node.args[0], names, code)


def _is_kept(value: ast.expr, names: set[str], code: Code) -> bool:
    """Whether it comes out of something that is kept: an item of a dictionary, what a function of the file gives."""
    if isinstance(value, ast.Subscript):
        return isinstance(value.value, ast.Name) and value.value.id not in names
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in code.functions


def unregistered(code: Code) -> Nodes:
    """Layers in plain lists, tensors that are no parameters, functions that hide what they use."""
    for function in constructors(code):
        plain = set()
        for target, value, statement in assignments(function):
            listed = isinstance(value, LISTS) or last_name(value) in ("list", "tuple", "dict")
            if isinstance(target, ast.Attribute):
                plain |= {target.attr} if listed else set()
                if (listed and _holds_layer(value)) or isinstance(value, ast.Lambda) or last_name(value) in TENSORS:
                    yield statement
        for target, _, statement in assignments(function):
            if isinstance(target, ast.Subscript) and last_name(target.value) in plain:
                yield statement
        for call in calls_in(function):
            owner = call.func.value if isinstance(call.func, ast.Attribute) else None
            if isinstance(owner, ast.Attribute) and last_name(call) == "append" and owner.attr in plain:
                yield call
            yield from (one for one in call.args if isinstance(one, ast.Lambda) and names_in(one) & _made(function))


def _holds_layer(value: ast.expr) -> bool:
    built = any(last_name(call)[:1].isupper() for call in calls_in(value))
    return built or (isinstance(value, ast.List | ast.Tuple) and any(isinstance(one, ast.Name) for one in value.elts))


def _made(function: Function) -> set[str]:
    """Names of a function that hold what a class made."""
    made = ((target, last_name(value)) for target, value, _ in assignments(function) if isinstance(value, ast.Call))
    return {target.id for target, name in made if isinstance(target, ast.Name) and name[:1].isupper()}


def attention_axis(code: Code) -> Nodes:
    """torch's attention, which has the batch second unless it is told otherwise."""
    turned = any(calls(running(code), "transpose", "permute", "swapaxes", "movedim"))
    for call in calls(constructors(code), "MultiheadAttention"):
        if not turned and not is_constant(argument(call, None, "batch_first"), True):
            yield call


def extra_layer(code: Code) -> Nodes:
    """A norm or dropout in a network that has neither attention nor a sublayer."""
    others = any(builds(code, constructors(code), "att")) or any("sublayer" in given(one) for one in constructors(code))
    yield from () if others else builds(code, constructors(code), "drop", "norm")


BUILT: dict[str, Callable[[Code], Nodes]] = {
    "wrong-init": wrong_init,
    "dropout-rate-ignored": dropout_rate,
    "missing-bias": missing_bias,
    "wrong-norm": wrong_norm,
    "wrong-size": wrong_size,
    "fixed-size": fixed_size,  # a wrong size that made the code stop elsewhere
    "shared-norm": shared,
    "shared-layer": shared,
    "unregistered-params": unregistered,
    "config-ignored": lambda code: builds(code, constructors(code), "att"),
    "attention-wrong-axis": attention_axis,
    "extra-op": extra_layer,
}
