"""The two halves of a block, found in its computation graph: for code that keeps its layers in no modules.

Between the halves lies a tensor through which every way from the input to the result goes. A half adds something to
its base; that was made from one tensor that is a norm of the base, if every way to it goes through that tensor.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import torch

from grader.checks.expect import EXACT, gap
from grader.checks.residual.combine import as_norm
from grader.checks.residual.graph import Graph
from grader.checks.residual.half import SublayerCall

# Operations that mix tokens by themselves, or multiply two tensors that both come from the input.
ATTENTION = {"scaled_dot_product_attention", "multi_head_attention_forward"}
PRODUCTS = {"matmul", "bmm", "baddbmm", "einsum", "tensordot", "__matmul__", "mm", "inner"}


@dataclass(frozen=True)
class Segment:
    """A sublayer in the graph: the numbers of what went in and what came out, what lies between, the norms around."""

    kind: Literal["A", "F"]
    begin: int
    end: int
    inside: tuple[int, ...]
    norms: tuple[SublayerCall, ...] = ()


def middles(graph: Graph, x: torch.Tensor) -> list[int]:
    """Where a first half may end: gates of the shape of the input that are neither input nor result."""
    result = graph.value(graph.end)
    found: list[int] = []
    for number in graph.gates(graph.start, graph.end):
        value = graph.value(number)
        if value is None or value.shape != x.shape or result is None:
            continue
        if not graph.is_like(number, x) and not graph.is_like(number, result):
            found.append(number)
    return found


def segment(graph: Graph, base: int, result: int) -> Segment | None:
    """The sublayer of the half from `base` to `result`; None when no tensor is what was added.

    It begins after the norms that all of it goes through, and ends before those; its last step must be a layer.
    """
    below, above = graph.value(base), graph.value(result)
    if below is None or above is None or below.shape != above.shape:
        return None
    ways = graph.between(base, result)[1:-1]
    end = next((number for number in ways if _adds_up(graph, number, below, above)), None)
    if end is None:
        return None
    gates = [number for number in graph.gates(base, end) if _has_shape(graph, number, below)]
    begin, norms = base, list[SublayerCall]()
    for number in gates:
        if _is_norm(graph, number, begin):
            norms.append(SublayerCall(_known(graph, begin), _known(graph, number)))
            # the steps of one norm are norms of its argument, too: the last one counts
            begin = number if not any(_is_norm(graph, later, begin) for later in gates if later > number) else begin
    for number in reversed(gates):
        end = number if number > begin and _is_norm(graph, end, number) else end
    parts = tuple(graph.between(begin, end))
    through = begin != base or not any(_is_norm(graph, number, base) for number in parts)
    if not through or not _ends_in_a_layer(graph, begin, end):
        return None
    kind: Literal["A", "F"] = "A" if any(_mixes(graph, number) for number in parts) else "F"
    return Segment(kind, begin, end, parts, tuple(norms))


def _ends_in_a_layer(graph: Graph, begin: int, end: int) -> bool:
    """Whether what came out was only moved around since parameters were used for it."""
    number = end
    while number != begin:
        if len(graph.used(number)) > 0:
            return True
        sources, value = graph.sources(number), graph.value(number)
        before = graph.value(sources[0]) if len(sources) == 1 else None
        if value is None or before is None or value.numel() != before.numel():
            return False
        if gap(value.flatten().sort().values, before.flatten().sort().values) > EXACT:
            return False
        number = sources[0]
    return False


def _known(graph: Graph, number: int) -> torch.Tensor:
    value = graph.value(number)
    assert value is not None
    return value


def _has_shape(graph: Graph, number: int, like: torch.Tensor) -> bool:
    value = graph.value(number)
    return value is not None and value.shape == like.shape


def _adds_up(graph: Graph, number: int, below: torch.Tensor, above: torch.Tensor) -> bool:
    value = graph.value(number)
    return value is not None and value.shape == below.shape and gap(below + value, above) <= EXACT


def _is_norm(graph: Graph, number: int, of: int) -> bool:
    value, argument = graph.value(number), graph.value(of)
    found = as_norm(value, argument) if value is not None and argument is not None else None
    # A bias that is added reads as a norm over the batch, or over the tokens of a single sequence.
    return found is not None and found.kind not in ("batch", "sequence")


def _mixes(graph: Graph, number: int) -> bool:
    name = graph.operations[number].name
    return name in ATTENTION or (name in PRODUCTS and len(graph.sources(number)) > 1)


def cut_at(graph: Graph, base: int, found: Segment, result: int) -> str:
    """Where autograd loses the half's gradient: "all", "skip", "branch", "norm", "input", or "" for nowhere."""
    tracked = [one.tracked for one in graph.operations]
    below = graph.value(base)
    if below is None or not tracked[base]:
        return ""
    if not tracked[result]:
        return "all"
    skips = [number for number in graph.operations[result].inputs if graph.is_like(number, below)]
    if skips and not any(tracked[number] for number in skips):
        return "skip"
    added = graph.value(result)
    branches = [n for n in graph.operations[result].inputs if added is not None and graph.is_like(n, added - below)]
    if not tracked[found.end] or (branches and not any(tracked[number] for number in branches)):
        return "branch"
    if not tracked[found.begin]:
        return "norm"
    copies = [number for number in graph.between(base, found.begin)[1:] if graph.is_like(number, below)]
    return "input" if any(not tracked[number] for number in copies) else ""


def last_layer(graph: Graph, found: Segment) -> tuple[list[str], list[str]] | None:
    """Names of the parameters that make the weight and the bias of a sublayer's last layer, None without a bias."""
    weights, biases, number = list[str](), list[str](), found.end
    while not weights and number != found.begin:
        for name, value in graph.used(number):
            (weights if value.dim() > 1 else biases).append(name)
        sources = graph.sources(number)
        if len(sources) != 1:
            break
        number = sources[0]
    return (weights, biases) if weights and biases else None
