"""Mistakes in how the methods of a class are written: which expression may hold them. Rules as in `built`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from grader.checks.where.code import Code, Function, calls_in, last_name
from grader.checks.where.members import argument, around, assignments, builds, calls, constructors, is_constant, running
from grader.checks.where.terms import kind_of_class

CUTS = {"detach", "detach_", "item", "numpy", "tolist", "data"}
NO_GRADIENT = {"no_grad", "inference_mode", "set_grad_enabled"}
GLOBALS = {"manual_seed", "seed", "set_default_dtype", "set_default_device", "set_default_tensor_type", "set_rng_state",
           "set_grad_enabled", "set_num_threads", "use_deterministic_algorithms"}  # fmt: skip
TYPES = {"float", "half", "double", "bfloat16", "cuda", "cpu"}
DTYPES = {"float16", "float32", "float64", "bfloat16", "half", "double", "float"}
GELU_NUMBERS = {0.5, 1.0, 2.0, 3.0, 0.044715, 0.7978845608028654, 1.4142135623730951}
LAST_AXIS = {"-1", "(-1,)", "[-1]"}
EACH = {"dropout-in-eval", "norm-wrong-axis", "norm-wrong-stat"}

Nodes = Iterator[ast.AST]


def broken_gradient(code: Code) -> Nodes:
    """What leaves the graph of autograd."""
    for node in (node for function in running(code) for node in ast.walk(function)):
        cuts = isinstance(node, ast.Attribute) and node.attr in CUTS
        if cuts or (isinstance(node, ast.Attribute | ast.Name) and last_name(node) in NO_GRADIENT):
            yield node


def wrong_dtype(code: Code) -> Nodes:
    """A change to a dtype or device that is written out."""
    for call in (call for function in running(code) for call in calls_in(function)):
        named = [*call.args, argument(call, None, "dtype"), argument(call, None, "device")]
        fixed = any(isinstance(one, ast.Attribute) and one.attr in DTYPES for one in named)
        text = any(isinstance(one, ast.Constant) and isinstance(one.value, str) for one in named)
        by_name = text and last_name(call) in ("to", "type")
        if fixed or by_name or (last_name(call) in TYPES and not call.args):
            yield call


def early_return(code: Code) -> Nodes:
    """A return inside a loop."""
    for function in running(code):
        loops = [node for node in ast.walk(function) if isinstance(node, ast.For | ast.While)]
        yield from (node for loop in loops for node in ast.walk(loop) if isinstance(node, ast.Return))


def wrong_return(code: Code) -> Nodes:
    """A return of several values or of none; the `def` line where nothing is returned."""
    if code.forward is None:
        return
    returns = [node for node in ast.walk(code.forward) if isinstance(node, ast.Return)]
    odd = [one for one in returns if one.value is None or isinstance(one.value, ast.Tuple | ast.List | ast.Dict)]
    yield from (odd or returns) if returns else [code.forward]


def fresh_layer(code: Code) -> Nodes:
    """A layer with parameters that is built while the forward runs."""
    made = list(builds(code, running(code), "norm", "linear", "att", "ffn", "sequence"))
    yield from made or list(calls(running(code), *code.classes)) or calls(running(code), "Parameter")


def dropout_in_eval(code: Code) -> Nodes:
    """A dropout that is not told the mode, or one that was never told it."""
    yield from builds(code, running(code), "drop")
    for call in calls(running(code), "dropout"):
        training = argument(call, 2, "training")
        if ast.unparse(call.func) != "self.dropout" and (training is None or is_constant(training, True)):
            yield call


def norm_wrong_axis(code: Code) -> Nodes:
    """A statistic over another axis than the last."""
    for call in calls(around(code), "mean", "var", "std", "var_mean"):
        of_torch = isinstance(call.func, ast.Attribute) and last_name(call.func.value) == "torch"
        axis = argument(call, 1 if of_torch else 0, "dim")
        if axis is None or ast.unparse(axis) not in LAST_AXIS:
            yield call


def norm_wrong_stat(code: Code) -> Nodes:
    """A standard deviation, a variance with n - 1, else a root without an eps."""
    trees = around(code)
    biased = [call for call in calls(trees, "var", "var_mean")
              if argument(call, None, "unbiased") is None and argument(call, None, "correction") is None]  # fmt: skip
    roots = [call for call in calls(trees, "sqrt", "rsqrt")
             if not any(isinstance(one, ast.Add) for one in ast.walk(call))]  # fmt: skip
    yield from [*calls(trees, "std"), *biased] or roots


def wrong_activation(code: Code) -> Nodes:
    """Another activation than GELU, or a number in a GELU of the file that none has."""
    trees = around(code)
    own = [one for one in trees if isinstance(one, ast.ClassDef | Function) and "gelu" in one.name.lower()]
    inside = {id(node) for one in own for node in ast.walk(one)}
    for call in (call for tree in trees for call in calls_in(tree)):
        name = last_name(call)
        if id(call) not in inside and kind_of_class(name) == "act" and "gelu" not in name.lower():
            yield call
    yield from (node for one in own for node in ast.walk(one) if _is_odd_number(node))


def _is_odd_number(node: ast.AST) -> bool:
    if not isinstance(node, ast.Constant) or not isinstance(node.value, int | float):
        return False
    return not any(abs(node.value - known) < 1e-4 * known for known in GELU_NUMBERS)


def activation_left_out(code: Code) -> Nodes:
    """The condition under which the activation is called."""
    for node in (node for function in running(code) for node in ast.walk(function)):
        inner = [last_name(call) for one in node.body for call in calls_in(one)] if isinstance(node, ast.If) else []
        if any(kind_of_class(name) == "act" or name in ("act", "activation") for name in inner):
            yield node


def wrong_mask(code: Code) -> Nodes:
    """Where the mask is made, else where it is used."""
    trees = around(code)
    yield from list(calls(trees, "tril", "triu")) or list(calls(trees, "masked_fill", "masked_fill_"))


def condition(code: Code) -> Nodes:
    """The conditions that compare something or ask for a flag; in the constructor, what is compared there."""
    flags = {target.attr for function in constructors(code) for target, value, _ in assignments(function)
             if isinstance(value, ast.Name) and isinstance(target, ast.Attribute)}  # fmt: skip
    for function in constructors(code):
        yield from (one for _, value, one in assignments(function) if not isinstance(value, ast.Call) and
                    any(isinstance(inner, ast.Compare) for inner in ast.walk(value)))  # fmt: skip
    for node in (node for function in running(code) for node in ast.walk(function)):
        asked = list(ast.walk(node.test)) if isinstance(node, ast.If | ast.IfExp) else []
        if any(isinstance(one, ast.Compare) or (isinstance(one, ast.Attribute) and one.attr in flags) for one in asked):
            yield node


WRITTEN: dict[str, Callable[[Code], Nodes]] = {
    "broken-gradient": broken_gradient,
    "global-state": lambda code: calls(around(code), *GLOBALS),
    "wrong-dtype-device": wrong_dtype,
    "early-return": early_return,
    "wrong-return": wrong_return,
    "fresh-layer-in-forward": fresh_layer,
    "dropout-in-eval": dropout_in_eval,
    "norm-wrong-axis": norm_wrong_axis,
    "norm-wrong-stat": norm_wrong_stat,
    "wrong-activation": wrong_activation,
    "missing-activation": activation_left_out,
    "wrong-mask": wrong_mask,
    "needless-mask": wrong_mask,
    "missing-skip": condition,
    "shortcut-condition": condition,
    "shortcut-flag-ignored": condition,
    "shortcut-flag-inverted": condition,
}
