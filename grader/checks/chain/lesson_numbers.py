"""The lesson's example: a seeded network, the gradients of its first backward pass, and those of the reference."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType

import torch

from grader.checks.chain.activations import Tensor
from grader.checks.chain.layers import Rule, Seen, run
from grader.checks.chain.layout import Layers, Places
from grader.checks.chain.network import DEMO
from grader.checks.chain.onlooker import USUAL, Onlooker, not_a_chain, parameters
from grader.checks.chain.rules import COUNT
from grader.checks.expect import fail, gap
from grader.checks.student import Student

SEED = 123
CAPTION = "Mean absolute gradient of each layer's weight"


def lesson_input() -> Tensor:
    """The one row of the example."""
    return torch.tensor([[1.0, 0.0, -1.0]])


def places_of(look: Onlooker) -> dict[bool, list[Places]]:
    """Where weights may be, found out before the seeded networks are built: with shortcuts, and without."""

    def found(shortcut: bool) -> list[Places]:
        values = parameters(look.new(DEMO, shortcut), DEMO[0])
        return list(look.places(list(values.values()), DEMO, shortcut))

    return look.once("places of the lesson's networks", lambda: {on: found(on) for on in (True, False)})


def lesson_layers(reference: ModuleType, shortcut: bool) -> Layers:
    """The weights and biases that the reference starts with."""
    torch.set_default_dtype(torch.float32)
    try:
        torch.default_generator.manual_seed(SEED)  # torch.manual_seed looks for graphics cards each time
        net = reference.ExampleDeepNeuralNetwork(list(DEMO), shortcut)
    finally:
        torch.set_default_dtype(torch.float64)
    values = [value.detach() for value in net.parameters()]
    return list(zip(values[::2], values[1::2], strict=True))


def lesson_gradients(layers: Layers, shortcut: bool) -> list[float]:
    """What the formula gives with these weights."""
    tracked = [(weight.double().clone().requires_grad_(), bias.double()) for weight, bias in layers]
    _output(USUAL[0], tracked, lesson_input(), shortcut).square().mean().backward()
    return [float(weight.grad.abs().mean()) for weight, _ in tracked if weight.grad is not None]


@dataclass(frozen=True)
class FirstBackward:
    """A seeded network of the student's, in float32: parameters, where its weights are, and the gradients it gave."""

    values: list[Tensor]
    which: Places
    shortcut: bool
    given: list[Tensor]

    @property
    def layers(self) -> Layers:
        """Its weights and biases at the start."""
        return self.which.layers(self.values, DEMO) or []

    @property
    def gradients(self) -> list[float]:
        """The mean absolute gradients that it gave."""
        return self._means(self.given)

    def wanted(self, rule: Rule) -> list[float]:
        """The mean absolute gradients of a formula for the same parameters."""
        leaves = [value.double().clone().requires_grad_() for value in self.values]
        layers = self.which.layers(leaves, DEMO) or []
        _output(rule, layers, lesson_input(), self.shortcut).square().mean().backward()
        return self._means([torch.zeros_like(leaf) if leaf.grad is None else leaf.grad for leaf in leaves])

    def _means(self, gradients: Sequence[Tensor]) -> list[float]:
        found = self.which.pieces(gradients, DEMO) or []
        return [float(weight.double().abs().mean()) for weight, _ in found]


def first_backward(student: Student, known: Sequence[Places], shortcut: bool) -> FirstBackward:
    """What a seeded network gives for one backward pass, where its weights may be in the places that are known."""
    return student.once(f"first backward, {shortcut}", lambda: _first_backward(student, known, shortcut))


def _first_backward(student: Student, known: Sequence[Places], shortcut: bool) -> FirstBackward:
    student.begin(SEED, "float32")
    net = student.ExampleDeepNeuralNetwork(list(DEMO), shortcut)
    x = lesson_input().to(torch.float32)
    output, values = net(x), [value.to(x.dtype) for value in net.parameters().values()]
    fitting = [one for one in known if one.layers(values, DEMO) is not None]
    if output.numel() != 1:
        fail("Your network does not have the output shape of the task, so gradients cannot be compared.",
             expected="One number for one row.", tag="wrong-return")  # fmt: skip
    if not fitting:
        not_a_chain(values)
    told = net.gradient(x, 2 * output.detach()).parameters.values()
    gradient = [
        torch.zeros_like(v) if g is None or g.shape != v.shape else g for g, v in zip(told, values, strict=False)
    ]
    reached = fitting[0].pieces(gradient, DEMO) if len(gradient) == len(values) else None
    if reached is None or not all(weight.any() for weight, _ in reached):
        fail("Some weights get no gradient at all.", expected="A gradient for each weight.", tag="broken-gradient")

    def distance(one: Places) -> float:
        return gap(output, _output(USUAL[0], one.layers(values, DEMO) or [], x, shortcut))

    which = fitting[0]
    if distance(which) > 5e-3:
        which = next((one for one in fitting if distance(one) <= 1e-5), which)
    return FirstBackward(values, which, shortcut, gradient)


def _output(rule: Rule, layers: Layers, x: Tensor, shortcut: bool) -> Tensor:
    output = run(rule, Seen(DEMO, shortcut, x, None, layers))
    assert output is not None
    return output


def show_gradients(student: Student, mine: dict[bool, list[float]], lesson: dict[bool, list[float]]) -> None:
    """Both beside each other, for the page."""
    names = [f"layer {n + 1}" for n in range(COUNT)]
    series = [
        {
            "name": f"{who}, {'with' if on else 'without'} shortcuts",
            "values": [float(f"{value:.4g}") for value in values[on]],
        }
        for who, values in (("yours", mine), ("reference", lesson))
        for on in (True, False)
    ]
    ratio = [f"{(v[True][0] / v[False][0] if v[False][0] else math.inf):,.0f}" for v in (mine, lesson)]
    rows = [[name, *(f"{one['values'][n]:.3g}" for one in series)] for n, name in enumerate(names)]
    rows.append(["layer 1, with : without", ratio[0], "", ratio[1], ""])
    columns = ["", *(str(one["name"]) for one in series)]
    student.show(
        gradients={"caption": CAPTION, "layers": names, "series": series},
        table={"caption": CAPTION, "columns": columns, "rows": rows},
    )
