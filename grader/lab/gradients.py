"""The gradient experiment: how much gradient reaches each layer of networks that grow deeper.

In a deep network a whole layer can be shut: all that its GELUs get is far below zero, and they give nothing. So the
seed is the lesson's or, if the solution's first, middle or last layer gets no gradient with it, the next one. A network
that was handed in gets the weights of the solution where its parameters have the same shapes: a right one then has the
same gradients, in whatever order it draws its weights.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import torch

from grader.checks.bench import Bench
from grader.checks.expect import described, fail
from grader.checks.student import Remote, Student
from grader.lab.job import Stop, TryGradients
from grader.lab.record import Gradients, Network, Who, file_tried
from grader.lab.trying import attempt, of_the_solution, on_bench
from grader.sandbox.process import Workers

NETWORK = "ExampleDeepNeuralNetwork"
WIDTH = 3
X = (1.0, 0.0, -1.0)  # the lesson's
SEED, SEEDS = 123, 50  # the lesson's, and how many are tried


@dataclass(frozen=True)
class Measured:
    """The mean absolute gradient of each layer's weight, and the values of all parameters, matrices first, in order."""

    gradients: tuple[float, ...]
    values: tuple[torch.Tensor, ...]


Pair: TypeAlias = tuple[Measured, Measured]  # with shortcuts, and without


def try_gradients(job: TryGradients, workers: Workers, tell: Callable[[str], None]) -> Gradients:
    """Networks of each depth, of the solution and of what was handed in."""
    found: list[Network] = []
    weights: list[Pair] = []
    with on_bench(job.course, job.solution, workers) as bench:
        for depth in job.depths:
            tell(f"{depth} layers of the reference")
            seed, pair = _reference(bench, depth)
            found.append(_as_network("reference", depth, seed, pair))
            weights.append(pair)
    if job.own is not None:
        with on_bench(job.course, job.own, workers) as bench:
            for reference, like in zip(tuple(found), weights, strict=True):
                tell(f"{reference.depth} layers")
                got = _measured(bench, reference.depth, reference.seed, like)
                found.append(_as_network("yours", reference.depth, reference.seed, got))
    return Gradients(file_tried(job.own or job.solution, own=job.own is not None), tuple(found))


def _reference(bench: Bench, depth: int) -> tuple[int, Pair]:
    first: Pair | None = None
    for seed in range(SEED, SEED + SEEDS):
        pair = of_the_solution(_measured(bench, depth, seed), bench)
        if all(one.gradients[at] != 0 for one in pair for at in (0, depth // 2, -1)):
            return seed, pair
        first = first or pair
    assert first is not None
    return SEED, first


def _as_network(who: Who, depth: int, seed: int, got: Pair | Stop) -> Network:
    if isinstance(got, Stop):
        return Network(who, depth, seed, stopped=got.words)
    return Network(who, depth, seed, got[0].gradients, got[1].gradients)


def _measured(bench: Bench, depth: int, seed: int, like: Pair | None = None) -> Pair | Stop:
    def both() -> Pair:
        student = bench.student()
        on, off = (None, None) if like is None else (like[0].values, like[1].values)
        return _through(student, depth, True, seed, on), _through(student, depth, False, seed, off)

    return attempt(bench, both)


def _through(student: Student, depth: int, shortcut: bool, seed: int, given: Sequence[torch.Tensor] | None) -> Measured:
    """Forward and backward for the lesson's row and the MSE to zero, with the values `given` where they fit.

    Weights are drawn in float32, as in the lesson; all else is computed in float64, in which fifty layers do not
    underflow.
    """
    x = torch.tensor([X], dtype=torch.float64)
    student.begin(seed, "float32")
    first = _build(student, depth, shortcut)
    first.call(x.float())  # layers that learn their sizes from an input have weights from here on
    drawn = {name: value.double() for name, value in first.parameters().items()}
    student.begin(seed)
    net = _build(student, depth, shortcut)
    net.call(x)
    weights, others = _in_order(net, x)
    names = [*weights, *others]
    if given is not None and [drawn[name].shape for name in names] == [value.shape for value in given]:
        drawn |= dict(zip(names, given, strict=True))
    net.assign(drawn)
    output = net(x)
    if output.numel() != 1:
        fail(f"For one row your network returned {described(output)}.", expected="One number.", tag="wrong-return")
    if len(weights) != depth:
        fail(f"In a network of {depth} layers, which weight belongs to which layer cannot be told from outside.",
             expected="One weight for each layer.", tag="wrong-size")  # fmt: skip
    gradient = net.gradient(x, 2 * output.detach()).parameters
    found = [gradient.get(name) for name in weights]
    means = tuple(0.0 if one is None else float(one.abs().mean()) for one in found)
    return Measured(means, tuple(drawn[name] for name in names))


def _build(student: Student, depth: int, shortcut: bool) -> Remote:
    made = student.build(NETWORK, [*[WIDTH] * depth, 1], shortcut)
    assert isinstance(made, Remote)
    return made


def _in_order(net: Remote, x: torch.Tensor) -> tuple[list[str], list[str]]:
    """The parameters that are matrices, and the others, each in the order in which the forward pass first uses them."""
    _, operations = net.operations(x)
    values = net.parameters()
    used = [name for name in dict.fromkeys(one.parameter for one in operations) if name in values]
    return [name for name in used if values[name].dim() > 1], [name for name in used if values[name].dim() == 1]
