"""What every nn.Module owes its user: parameters that are seen, and global settings that stay."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch

from grader.checks.claims import Leaf
from grader.checks.draw import Draw
from grader.checks.expect import CheckFailed, fail, gap, same
from grader.checks.explain import raised
from grader.checks.student import Remote, Reply, Student
from grader.model.results import Formula
from grader.sandbox.session import StudentRaised, WorkerLost
from grader.sandbox.worker.messages import BadFrame


def expect_registered(
    module: Remote, first: Reply, second: Reply, whose: Callable[[Sequence[Leaf]], str] | None = None
) -> None:
    """Every parameter that the results of two calls depend on is listed by `parameters()`.

    `whose` names what the others belong to ("attention has 16 parameters"). The autograd graph decides, not the
    counting of parameters; one that is another in the second call was made in `forward`.
    """
    unseen = [leaf for leaf in module.leaves(first) if leaf.name is None]
    if not unseen:
        return
    again = {leaf.identity for leaf in module.leaves(second)}
    count = sum(math.prod(leaf.shape) for leaf in unseen)
    if any(leaf.identity not in again for leaf in unseen):
        fail(
            "Your forward makes new layers each time it is called, so nothing that they learn is kept.",
            expected="All layers made once, in `__init__`.",
            tag="fresh-layer-in-forward",
        )
    what = whose(unseen) if whose is not None else f"code uses {count:,} trainable numbers"
    fail(
        f"Your {what} that `parameters()` does not see, so they are never trained.",
        expected="Each layer as an attribute of the module, or in an nn.ModuleList.",
        tag="unregistered-params",
    )


def works(attempt: Callable[[], object]) -> bool:
    """Whether the student's code does this without raising."""
    try:
        attempt()
    except StudentRaised:
        return False
    return True


def large_output(student: Student, x: torch.Tensor, name: str, *args: Any) -> Any:
    """What a large module returns for `x`, to ask for its shape; the check starts over in the worker.

    In float32 and with weights that nobody drew, on which no shape depends: both would take longest. Where that raises,
    as everywhere else.
    """
    outputs: list[Any] = []

    def at_less_cost() -> None:
        student.begin(0, "float32")
        outputs.append(student.blank(name, *args).call(x.float()).value)

    cheap = works(at_less_cost)
    student.begin(0)
    return outputs[0] if cheap else student.build(name, *args).call(x).value


def expect_input_kept(module: Remote, x: torch.Tensor, *, what: str = "block") -> None:
    """The caller's tensor is the same afterwards, in training as in evaluation mode. `what` names the module."""
    for mode in (module.train, module.eval):
        for after in mode().call(x).after:
            if not same(after, x):
                fail(
                    f"Your {what} changes the tensor that it was given.",
                    expected="The input, untouched after the call.",
                    tag="inplace-input",
                )


def expect_quiet(module: Remote, x: torch.Tensor, formula: Callable[[], Formula] | None = None) -> None:
    """In evaluation mode the same input gives the same output; `formula` finds what a random one computes."""
    module.eval()
    if not same(module(x), module(x)):
        fail(
            "In evaluation mode two calls with the same input gave different outputs.",
            expected="No dropout after `.eval()`.",
            tag="dropout-in-eval",
            formula=formula() if formula is not None else None,
        )


STATE = {
    "seed": "Your code sets the random seed for the whole program.",
    "dtype": "Your code changes the default number type for the whole program.",
    "grad": "Your code switches gradients off for the whole program.",
}


def expect_state(student: Student, **wanted: object) -> None:
    """The global state of torch (seed, dtype, and grad, which is on) is what it was before the student's code ran."""
    state = student.state()
    for key, value in {**wanted, "grad": True}.items():
        if state.get(key) != value:
            fail(STATE[key], expected="Global settings left alone.", tag="global-state")


def state_first(student: Student, ending: Exception) -> Exception:
    """What a check on number types or gradients ends with: a global setting that the code changed goes first."""
    tag = raised(ending, "hidden").tag if isinstance(ending, StudentRaised) else getattr(ending, "tag", None)
    if tag in ("wrong-dtype-device", "broken-gradient"):
        try:
            expect_state(student, dtype=student.number_type)
        except CheckFailed as changed:
            return changed
        except (StudentRaised, WorkerLost, BadFrame):
            return ending
    return ending


STEPS = (1e-5, 1e-6, 1e-7)  # of central differences


def expect_true_gradient(
    module: Remote, x: torch.Tensor, draw: Draw, formula: Callable[[], Formula | None] | None = None
) -> None:
    """The gradients that autograd gives are the derivative of what the module computes.

    Input and all parameters are moved by a small step along a random direction; the change of the output along a random
    cotangent must be what the gradients say (central difference in float64). A path cut by `detach`, `.data` or
    `no_grad` shows, wherever it is, and no reference is needed; `formula` may find out where. A ReLU may have its kink
    within a step: then a smaller one decides. Modules that are random in evaluation mode are left to the check that
    says so.
    """
    output = module(x)
    if not same(module(x), output):
        return
    cotangent, along = draw.normal(*output.shape), draw.normal(*x.shape)
    values = module.parameters()
    steps = {name: draw.normal(*value.shape) for name, value in values.items()}
    found = module.gradient(x, cotangent)
    told = _dot(found.input, along) + sum(_dot(found.parameters.get(name), step) for name, step in steps.items())

    def measured(size: float) -> float:
        ends = []
        for sign in (size, -size):
            module.assign({name: value + sign * steps[name] for name, value in values.items()})
            ends.append(_dot(module(x + sign * along), cotangent))
        module.assign(values)
        return (ends[0] - ends[1]) / (2 * size)

    if all(gap(torch.tensor(told), torch.tensor(measured(size))) > 1e-4 for size in STEPS):
        fail(
            "The output is right, but on the way back a part of the gradient is lost.",
            expected="Gradients along every path: no `.detach()`, `.data` or `no_grad` on the way.",
            tag="broken-gradient",
            formula=formula() if formula is not None else None,
        )


def _dot(a: torch.Tensor | None, b: torch.Tensor) -> float:
    return 0.0 if a is None or a.shape != b.shape else float((a * b).sum())
