"""Experiments on a block as a whole: a sublayer made silent by its parameters, a path on which the gradient is lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, NamedTuple, TypeAlias

import torch

from grader.checks.residual.anatomy import Plan, anatomy
from grader.checks.residual.graph import Graph
from grader.checks.residual.graph_halves import Segment, cut_at, last_layer
from grader.checks.residual.halves import HALVES, halves_of
from grader.checks.student import Remote

READS = {"": "{0} + {1}({2}({0}))", "skip": "detach({0}) + {1}({2}({0}))", "branch": "{0} + detach({1}({2}({0})))",
         "norm": "{0} + {1}(detach({2}({0})))", "input": "{0} + {1}({2}(detach({0})))",
         "all": "detach({0} + {1}({2}({0})))"}  # fmt: skip

Values: TypeAlias = dict[str, torch.Tensor]


class LastLayer(NamedTuple):
    """The last linear layer of a sublayer, by the names of its weights and biases."""

    kind: Literal["A", "F"]
    weights: list[str]
    biases: list[str]


def last_layers(block: Remote, x: torch.Tensor, plan: Plan | None = None) -> Sequence[LastLayer] | None:
    """The last layer of each sublayer; None where it cannot be found, or is not among the parameters.

    Layers that are modules are looked at first, then the graph of operations. `plan`: see `anatomy`.
    """
    layers = _module_layers(block, x, plan) or _graph_layers(block, x)
    known = block.parameters().keys() if layers else ()
    return layers if layers and all(name in known for one in layers for name in (*one.weights, *one.biases)) else None


def silenced(layers: Sequence[LastLayer], values: Mapping[str, torch.Tensor], kind: str, value: float) -> Values:
    """Parameters that make the sublayer of this kind return `value` everywhere and the other zeros.

    The last layer of each gets zeros as its weight and a constant as its bias.
    """
    made: Values = {}
    for one in layers:
        made |= {name: torch.zeros_like(values[name]) for name in one.weights}
        made |= {name: torch.full_like(values[name], value if one.kind == kind else 0.0) for name in one.biases}
    return made


def _module_layers(block: Remote, x: torch.Tensor, plan: Plan | None) -> Sequence[LastLayer] | None:
    parts, values = anatomy(block, x, plan), block.parameters()
    last = [(sublayer.kind, sublayer.last_layer(values)) for sublayer in parts.sublayers]
    if not {"A", "F"} <= set(parts.order):
        return None
    known = [LastLayer(kind, [names[0]], [names[1]]) for kind, names in last if names is not None]
    return known if len(known) == len(last) else None


def _graph_layers(block: Remote, x: torch.Tensor) -> Sequence[LastLayer] | None:
    graph = Graph.of(block, x)
    if graph is None:
        return None
    for _, segments in halves_of(graph, x):
        found = [(one.kind, last_layer(graph, one)) for one in segments]
        known = [LastLayer(kind, *names) for kind, names in found if names is not None]
        if len(known) == len(found):
            return known
    return None


def sublayer_in(block: Remote, x: torch.Tensor, kind: Literal["A", "F"]) -> tuple[Graph, Segment] | None:
    """A sublayer of a block in its graph of operations, by the graph's halves or as the module that was called."""
    graph = Graph.of(block, x)
    if graph is None:
        return None
    for _, segments in halves_of(graph, x):
        for one in segments:
            if one.kind == kind:
                return graph, one
    called = next((one for one in anatomy(block, x).sublayers if one.kind == kind), None)
    if called is None:
        return None
    begin, end = (
        next((n for n in sorted(graph.dependent) if graph.is_like(n, value)), None)
        for value in (called.input, called.output)
    )
    if begin is None or end is None:
        return None
    return graph, Segment(kind, begin, end, tuple(graph.between(begin, end)))


@dataclass(frozen=True)
class Cut:
    """A block whose output is right and whose gradient is not: how it reads, and which half is cut."""

    text: str
    half: str


def lost_in_block(block: Remote, x: torch.Tensor) -> Cut | None:
    """Where a block cuts its gradient, by which tensors autograd follows; None where the graph does not show it."""
    graph = Graph.of(block, x)
    if graph is None:
        return None
    for middle, segments in halves_of(graph, x):
        ends = (graph.start, middle, graph.end)
        cuts = [cut_at(graph, base, one, end) for (base, end), one in zip(pairwise(ends), segments, strict=True)]
        if any(cuts):
            names = (("x", "Norm1"), ("h", "Norm2"))
            texts = [
                READS[cut].format(base, one.kind, norm)
                for cut, one, (base, norm) in zip(cuts, segments, names, strict=True)
            ]
            halves = [HALVES[one.kind] for cut, one in zip(cuts, segments, strict=True) if cut]
            return Cut(f"h = {texts[0]}; y = {texts[1]}", halves[0] if len(halves) == 1 else "both")
    return None
