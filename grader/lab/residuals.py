"""A block without its residuals, made of the student's own block from outside, and proved to be one.

The two sums on the residual stream are found in the graph of operations: a call that gives the value between the
halves, or the result, from tensors that do not hold it yet. The worker leaves the shortcut out there. That the twin
which comes out computes F(Norm2(A(Norm1(x)))) is then proved by experiments on the block, and that its gradients are
the derivative of that by steps along a random direction, so nothing rests on how the sums were found.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch

from grader.checks.draw import Draw
from grader.checks.expect import CheckFailed, same
from grader.checks.modules import expect_true_gradient
from grader.checks.residual.block import last_layers
from grader.checks.residual.graph import Graph
from grader.checks.residual.halves import identify_block
from grader.checks.student import Remote, Student
from grader.lab.job import Sums
from grader.sandbox.session import StudentRaised
from grader.sandbox.worker import messages as m

WITH = "h = x + A(Norm1(x)); y = h + F(Norm2(h))"
BEFORE = ("input", "parameter", "given")  # operations that are no calls
NOT_FOUND = "The two sums with the shortcuts were not found in your block, so it has no curve without them."


def find_sums(block: Remote, x: torch.Tensor, draw: Draw) -> Sums:
    """The sums on the residual stream of a block in training mode, for inputs of the shape of `x`; it gets random
    parameters.
    """
    draw.parameters(block)
    seen = identify_block(block, x)
    if seen is None or seen.text is None:
        return Sums(why=NOT_FOUND)
    if seen.text != WITH:
        return Sums(why=f"Your block computes {seen.text}. Only one that computes {WITH} has a twin without shortcuts.")
    graph, result = Graph.of(block, x), seen.anatomy.result
    if graph is None or not isinstance(result, torch.Tensor):
        return Sums(why=NOT_FOUND)
    first, second = _born(graph, seen.bases[1], x), _born(graph, result, seen.bases[1])
    if not first or not second:
        return Sums(why=NOT_FOUND)
    sums = tuple(sorted((*first, *second), key=lambda one: one.call))
    return Sums(sums) if _is_without(block, removed(block, sums), x, draw) else Sums(why=NOT_FOUND)


def removed(block: Remote, sums: tuple[m.Sum, ...]) -> Remote:
    """The twin of a block, whose parameters are the block's own."""
    student: Student = block.student
    made = student._unpack(student.ask(m.Remove(m.Reference(block.handle), list(sums))).value)
    if not isinstance(made, Remote):
        raise m.BadFrame("a twin that is no object")
    return made


def _born(graph: Graph, value: torch.Tensor, base: torch.Tensor) -> list[m.Sum]:
    """The calls that give `value` from what does not hold it yet, each with one that gave `base` in the same layout."""
    calls = _calls(graph)
    like = {number for number in graph.dependent if graph.is_like(number, value)}
    found = []
    for number in sorted(like):
        operation = graph.operations[number]
        if number not in calls or like.intersection(operation.inputs):
            continue
        shape = operation.result.shape
        bases = [one for one in sorted(graph.dependent) if one < number and _holds(graph, one, base, shape)]
        if not bases:
            return []
        found.append(m.Sum(calls[number], operation.name, calls.get(bases[-1])))
    return found


def _holds(graph: Graph, number: int, value: torch.Tensor, shape: torch.Size) -> bool:
    result = graph.operations[number].result
    return isinstance(result, torch.Tensor) and result.shape == shape and graph.is_like(number, value)


def _calls(graph: Graph) -> dict[int, int]:
    """Operation to number of the call, as the worker counts them when it removes."""
    calls = [at for at, one in enumerate(graph.operations) if one.name not in BEFORE]
    return {number: at for at, number in enumerate(calls)}


def _is_without(block: Remote, twin: Remote, x: torch.Tensor, draw: Draw) -> bool:
    """Whether the twin gives F(Norm2(A(Norm1(x)))), and gradients that are its derivative.

    What that is follows from the block alone: with one sublayer silent a half is left, and from that the input is
    taken.
    """
    try:
        layers = last_layers(block, x)
        if layers is None or sorted(kind for kind, _, _ in layers) != ["A", "F"]:
            return False
        names = {kind: (*weights, *biases) for kind, weights, biases in layers}
        attended = _half_alone(block, names["F"], x)
        if not same(twin(x), _half_alone(block, names["A"], attended)):
            return False
        expect_true_gradient(twin, x, draw)
    except (CheckFailed, StudentRaised):
        return False
    return True


def _half_alone(block: Remote, silent: Sequence[str], x: torch.Tensor) -> torch.Tensor:
    """What the half adds to `x` while these parameters, the last layer of the other half, are zero."""
    values = block.parameters()
    block.assign({name: torch.zeros_like(values[name]) for name in silent})
    added = block(x) - x
    block.assign({name: values[name] for name in silent})
    return added
