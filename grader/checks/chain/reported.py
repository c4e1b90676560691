"""Judging the helper `print_gradients(model, x)`: it is called with a network whose gradients are known."""

from __future__ import annotations

from collections.abc import Mapping

import torch

from grader.checks.chain.activations import Tensor
from grader.checks.chain.gradient_report import (
    Learned,
    are_in,
    are_in_another_order,
    in_order,
    numbers,
    printed_instead,
)
from grader.checks.chain.layers import Seen, run
from grader.checks.chain.layout import Places
from grader.checks.chain.lesson_numbers import CAPTION, SEED, FirstBackward, lesson_input
from grader.checks.chain.network import DEMO
from grader.checks.chain.onlooker import USUAL, Onlooker
from grader.checks.chain.rules import COUNT
from grader.checks.expect import fail
from grader.checks.explain import shown
from grader.checks.modules import works
from grader.checks.student import Remote, Student
from grader.sandbox.session import StudentRaised

HELPER = "print_gradients"
EXPECTED = "The mean absolute gradient of each layer's weight, for the mean squared error against zeros."
TAG = "wrong-gradient-report"
TRIES = 100


def expect_report(look: Onlooker, sizes: tuple[int, ...], shortcut: bool) -> None:
    """The values are among what the helper prints. Layout, order and further numbers are its own business."""
    (net, at_first), (twin, _) = look.build(sizes, shortcut), look.build(sizes, shortcut)
    student = net.student
    x, values, learned = _known(look, net, at_first, sizes, shortcut)
    if learned is None:
        return  # no weights, or another shape: other checks say so
    twin.assign(values)  # no gradient has flowed through this one yet
    student.printed()
    returned = _called(twin, x)
    text = student.printed()
    found = numbers(text)
    if any(are_in(order, found) for order in learned.orders):
        if learned.biases and are_in(learned.everything, found):
            student.remark("Your `print_gradients` lists biases, too; only the weights are asked for.")
        return
    if are_in_another_order(learned.wanted, found):
        student.remark("Your `print_gradients` does not list the layers from first to last.")
        return
    if text.strip():
        words = f"prints {printed_instead(found, learned) or 'other numbers than these gradients'}."
    else:
        words = "prints nothing." if returned is None else "prints nothing; it only returns something."
    fail(f"Your `{HELPER}` {words}", expected=EXPECTED, tag=TAG)


def expect_lesson_report(student: Student, known: Mapping[bool, FirstBackward]) -> None:
    """The same for the lesson's networks, whose gradients are known, with shortcuts and without; shows both."""
    printed = {}
    for shortcut in known:
        student.begin(SEED, "float32")
        net = student.ExampleDeepNeuralNetwork(list(DEMO), shortcut)
        student.printed()
        _called(net, lesson_input().float())
        printed[shortcut] = numbers(student.printed())
    rows = [[f"layer {n + 1}"] for n in range(COUNT)]
    for shortcut, one in known.items():
        found = in_order(one.gradients, printed[shortcut])
        for row, wanted, number in zip(rows, one.gradients, found, strict=True):
            row += ["–" if number is None else f"{number.value:.4g}", f"{wanted:.4g}"]
    columns = [
        f"{what}, {'with' if on else 'without'} shortcuts" for on in known for what in ("printed", "to be printed")
    ]
    student.show(table={"caption": CAPTION, "columns": ["", *columns], "rows": rows})
    for shortcut, one in known.items():
        listed = [value.abs().mean().item() for value in one.given if value.dim() > 1]
        if not any(are_in(order, printed[shortcut]) or are_in_another_order(order, printed[shortcut])
                   for order in (one.gradients, listed)):  # fmt: skip
            layer = next(n for n, number in enumerate(in_order(one.gradients, printed[shortcut])) if number is None)
            words = (
                f"{'With' if shortcut else 'Without'} shortcuts, your `{HELPER}` does not print the gradient of layer"
            )
            fail(f"{words} {layer + 1}, which is {one.gradients[layer]:.4g} for this network.",
                 expected=EXPECTED, tag=TAG)  # fmt: skip


def _known(
    look: Onlooker, net: Remote, at_first: dict[str, Tensor], sizes: tuple[int, ...], shortcut: bool
) -> tuple[Tensor, dict[str, Tensor], Learned | None]:
    """An input of one row, parameters, and what is to be reported for them."""
    names, values = list(at_first), list(at_first.values())
    places = next(look.places(values, sizes, shortcut), None)
    x, values = _telling(look, values, places, sizes, shortcut)
    known = dict(zip(names, values, strict=True))
    net.assign(known)
    output = net(x)
    if output.shape != (1, 1) or not values:
        return x, known, None
    told = net.gradient(x, 2 * output.detach()).parameters
    gradients = [
        torch.zeros_like(v) if (g := told.get(name)) is None or g.shape != v.shape else g.to(v.dtype)
        for name, v in known.items()
    ]
    layers = None if places is None else places.pieces(gradients, sizes)
    learned = Learned(values, gradients, layers or [], output.item())
    return x, known, learned if learned.wanted else None


def _telling(
    look: Onlooker, values: list[Tensor], places: Places | None, sizes: tuple[int, ...], shortcut: bool
) -> tuple[Tensor, list[Tensor]]:
    """Input and parameters for which a right network's gradients are easily told from other numbers."""
    draw = look.draw
    for _ in range(TRIES):
        x, made = draw.input(1, sizes[0]), [_drawn(look, value).requires_grad_() for value in values]
        layers = None if places is None else places.layers(made, sizes)
        output = None if layers is None else run(USUAL[0], Seen(sizes, shortcut, x, None, layers))
        if places is None or output is None or output.shape != (1, 1):
            break
        output.square().sum().backward()
        gradients = [torch.zeros_like(value) if value.grad is None else value.grad for value in made]
        learned = Learned(made, gradients, places.pieces(gradients, sizes) or [], output.item())
        if learned.tells_apart:
            break
    return x, [value.detach() for value in made]


def _drawn(look: Onlooker, value: Tensor) -> Tensor:
    noise = look.draw.normal(*value.shape)
    return 1.5 * noise / value.shape[-1] ** 0.5 if value.dim() > 1 else 0.5 * noise


def _called(net: Remote, x: Tensor) -> object:
    """What the helper returns; what it raises is told with its line."""
    try:
        return net.student.build(HELPER, net, x)
    except StudentRaised as error:
        if error.frame.type == "TypeError" and not error.frame.places:
            if works(lambda: net.student.build(HELPER, net, x, torch.zeros(1, 1))):
                return None
            fail(f"Your `{HELPER}` takes other arguments than a network and an input.",
                 expected=f"`{HELPER}(model, x)`.", tag=TAG)  # fmt: skip
        where = f" in line {error.where.line}" if error.where else ""
        what = shown(f"{error.frame.type}: {error.frame.text}", "hidden")
        fail(f"Your `{HELPER}` stopped{where}: {what}.", expected=EXPECTED, tag=TAG)
