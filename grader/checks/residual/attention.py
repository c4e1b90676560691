"""Reading an attention from the graph of operations: how its scores are scaled, how wide a head is, how it ends."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch.nn.functional import scaled_dot_product_attention

from grader.checks.expect import EXACT, gap
from grader.checks.residual.graph import Graph
from grader.checks.residual.graph_halves import PRODUCTS, Segment

BUILT_IN = "multi_head_attention_forward"
FUSED = "scaled_dot_product_attention"


@dataclass(frozen=True)
class Head:
    """One softmax over scores, or a fused operation that holds one.

    `scale` is what the products of queries and keys were multiplied with (None where that does not show), `size` how
    many numbers a query has, `weighed` the operation that weighs the values, which should not be the keys again.
    `over_queries`: the softmax ran along the queries, so that the weights of one query do not add up to 1.
    """

    scale: float | None
    size: int
    weighed: int
    values_are_keys: bool = False
    over_queries: bool = False

    @property
    def is_scaled(self) -> bool:
        """Whether scores are divided by the root of the head's size."""
        return self.scale is not None and abs(self.scale * math.sqrt(self.size) - 1) <= 1e-6


def heads(graph: Graph, found: Segment) -> Iterator[Head]:
    """Every head, or group of heads computed at once, of an attention."""
    for number in found.inside:
        name = graph.operations[number].name
        if name == FUSED:
            yield from _fused(graph, number)
        elif "softmax" in name:
            yield from _by_hand(graph, number, found.end)


def is_built_in(graph: Graph, found: Segment) -> bool:
    """Whether torch's own multi-head attention does it."""
    return any(graph.operations[number].name == BUILT_IN for number in found.inside)


def is_projected(graph: Graph, found: Segment, head: Head) -> bool:
    """Whether a matrix that does not come from the input acts on what the heads return, registered or not."""
    later = graph.between(head.weighed, found.end)[1:]
    beside = {one for number in later for one in graph.operations[number].inputs if one not in graph.dependent}
    return any((value := graph.value(one)) is not None and value.dim() > 1 for one in beside)


def _fused(graph: Graph, number: int) -> Iterator[Head]:
    operation = graph.operations[number]
    made, inputs = operation.result, [graph.operations[one].result for one in operation.inputs[:3]]
    if not all(isinstance(one, torch.Tensor) and one.dim() > 2 and one.shape[-2] > 1 for one in (made, *inputs)):
        return
    queries, keys, values = inputs
    scale = _scale_of_two(made, queries, keys, values)
    wanted = None if scale is None else scaled_dot_product_attention(queries, keys, values, is_causal=True, scale=scale)
    if wanted is None or gap(made, wanted) > 1e-6:
        scale = _scale_of_all(made, queries, keys, values)
    if scale is None:
        yield Head(None, queries.shape[-1], number)
    else:
        before = _factor(graph, operation.inputs[0]) * _factor(graph, operation.inputs[1])
        yield Head(scale * before, queries.shape[-1], number, gap(values, keys) <= EXACT)


def _scale_of_two(made: torch.Tensor, queries: torch.Tensor, keys: torch.Tensor, values: torch.Tensor) -> float | None:
    """From the second token, which weighs two values: its weights say by what the scores were multiplied."""
    first, second = values[..., 0, :], values[..., 1, :]
    weight = ((made[..., 1, :] - second) * (first - second)).sum(-1) / (first - second).square().sum(-1)
    scores = (queries[..., 1:2, :] * (keys[..., 0:1, :] - keys[..., 1:2, :])).sum(-1)[..., 0]
    known = (weight > 1e-6) & (weight < 1 - 1e-6) & (scores.abs() > 1e-3)
    if not bool(known.any()):
        return None
    return float((torch.logit(weight[known]) / scores[known]).median())


def _scale_of_all(made: torch.Tensor, queries: torch.Tensor, keys: torch.Tensor, values: torch.Tensor) -> float | None:
    """Without a mask, from weights that can be told from what they made: there are no more tokens than numbers each.

    Each row says by what its scores were multiplied; small weights, which rounding may have made, count for nothing.
    """
    tokens, size = values.shape[-2:]
    if tokens > size or made.shape != (*queries.shape[:-1], size):
        return None
    weights = torch.linalg.lstsq(values.mT, made.mT).solution.mT
    known = weights.amin(-1) > 1e-3
    if not bool(known.any()):
        return None
    logs, products = (t[known] - t[known].mean(-1, keepdim=True) for t in (weights.log(), queries @ keys.mT))
    scale = float(((logs * products).sum(-1) / products.square().sum(-1)).median())
    wanted = scaled_dot_product_attention(queries, keys, values, scale=scale)
    return scale if gap(made, wanted) <= 1e-6 else None


def _by_hand(graph: Graph, number: int, end: int) -> Iterator[Head]:
    weights = graph.operations[number].result
    product = number
    while graph.operations[product].name not in PRODUCTS or len(graph.sources(product)) < 2:
        sources = graph.sources(product)
        if len(sources) != 1:
            return
        product = sources[0]
    pair = graph.sources(product)[:2]
    queries, keys = (graph.operations[one].result for one in pair)
    weighed = [n for n in graph.between(number, end) if graph.operations[n].name in PRODUCTS]
    if not weighed or not all(isinstance(one, torch.Tensor) for one in (weights, queries, keys)):
        return
    products = _products(queries, keys, weights.shape)
    products = graph.operations[product].result if products is None else products
    fitted = _fitted(weights, products) if isinstance(products, torch.Tensor) else None
    scale = None if fitted is None else fitted * _factor(graph, pair[0]) * _factor(graph, pair[1])
    others = [graph.operations[one].result for one in graph.sources(weighed[0])]
    again = any(gap(one, keys) <= EXACT or gap(one, keys.mT) <= EXACT for one in others)
    crossed = fitted is None and isinstance(products, torch.Tensor) and _fitted(weights.mT, products.mT) is not None
    yield Head(scale, queries.shape[-1], weighed[0], again, crossed)


def _products(queries: torch.Tensor, keys: torch.Tensor, shape: torch.Size) -> torch.Tensor | None:
    """Queries times keys by themselves, where their shapes say how; an operation may have scaled its own product."""
    if queries.dim() < 3 or keys.dim() != queries.dim() or queries.shape[-1] != keys.shape[-2]:
        return None
    made = queries @ keys
    return made if made.shape == shape else None


def _fitted(weights: torch.Tensor, products: torch.Tensor) -> float | None:
    """The factor that makes these weights the softmax of the products, along the last axis, where they are not zero."""
    if weights.shape != products.shape:
        return None
    seen = weights > 0
    logs = torch.where(seen, weights.clamp_min(1e-300).log(), 0.0)
    count = seen.sum(-1, keepdim=True).clamp_min(1)
    centred = [
        torch.where(seen, t - torch.where(seen, t, 0.0).sum(-1, keepdim=True) / count, 0.0) for t in (logs, products)
    ]
    factor = float((centred[0] * centred[1]).sum() / centred[1].square().sum().clamp_min(1e-30))
    return factor if gap(centred[0], factor * centred[1]) <= 1e-6 else None


def _factor(graph: Graph, number: int) -> float:
    """What a tensor was multiplied with since parameters were used for it."""
    factor = 1.0
    while not graph.used(number) and len(graph.sources(number)) == 1:
        before = graph.sources(number)[0]
        made, given = graph.operations[number].result, graph.operations[before].result
        if graph.operations[number].name.strip("_") in ("mul", "div", "truediv", "rmul") and (
            isinstance(made, torch.Tensor) and isinstance(given, torch.Tensor) and made.shape == given.shape
        ):
            at = int(given.abs().argmax())
            factor *= float(made.flatten()[at] / given.flatten()[at])
        number = before
    return factor
