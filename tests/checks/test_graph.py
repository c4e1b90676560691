"""Halves, cut gradients and attentions, read from the graph of operations of code that has no modules at all."""

import math

import pytest
import torch
from torch import nn
from torch.nn import functional

from grader.checks.claims import Operation
from grader.checks.residual.attention import heads, is_projected
from grader.checks.residual.graph import Graph
from grader.checks.residual.graph_halves import cut_at, last_layer, middles, segment
from grader.sandbox.worker.operations import Recorder

DIM = 12


class Parts:
    """A transformer block in functions: each line of it can be replaced."""

    def __init__(self, **other):
        torch.manual_seed(0)
        made = {
            "wq": (DIM, DIM), "wk": (DIM, DIM), "wv": (DIM, DIM), "wo": (DIM, DIM), "bo": (DIM,),
            "w1": (4 * DIM, DIM), "b1": (4 * DIM,), "w2": (DIM, 4 * DIM), "b2": (DIM,),
            "g1": (DIM,), "s1": (DIM,), "g2": (DIM,), "s2": (DIM,),
        }  # fmt: skip
        self.p = {n: nn.Parameter(torch.randn(*shape, dtype=torch.float64) / 3) for n, shape in made.items()}
        self.other = other

    def norm(self, x, number):
        return functional.layer_norm(x, (DIM,), self.p[f"g{number}"], self.p[f"s{number}"])

    def scores(self, q, k):
        return q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])

    def project(self, t):
        return functional.linear(t, self.p["wo"], self.p["bo"])

    def attention(self, n):
        q, k, v = (
            functional.linear(n, self.p[name]).unflatten(-1, (3, 4)).transpose(1, 2) for name in ("wq", "wk", "wv")
        )
        scores = self.other.get("scores", self.scores)(q, k)
        mask = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
        weights = torch.softmax(scores.masked_fill(mask, -math.inf), -1)
        mixed = (weights @ v).transpose(1, 2).flatten(2)
        return self.other.get("project", self.project)(mixed)

    def feed_forward(self, n):
        inner = functional.gelu(functional.linear(n, self.p["w1"], self.p["b1"]), approximate="tanh")
        return functional.linear(inner, self.p["w2"], self.p["b2"])

    def first(self, x):
        return x + self.attention(self.norm(x, 1))

    def second(self, h):
        return h + self.feed_forward(self.norm(h, 2))

    def __call__(self, x):
        return self.other.get("second", self.second)(self.other.get("first", self.first)(x))


def graph_of(parts, tokens=6):
    x = (1.2 * torch.randn(2, tokens, DIM, dtype=torch.float64) + 0.5).requires_grad_() * 1.0
    with Recorder([x], {id(p): name for name, p in parts.p.items()}) as recorder:
        result = parts(x)
    listed = [Operation(o.name, tuple(o.inputs), o.result, o.tracked, o.parameter) for o in recorder.operations]
    return Graph(listed, recorder.number(result))


def halves(graph):
    (middle,) = middles(graph, graph.value(graph.start))
    return middle, segment(graph, graph.start, middle), segment(graph, middle, graph.end)


def test_attention_and_feed_forward_are_told_apart():
    _, first, second = halves(graph_of(Parts()))

    assert (first.kind, second.kind) == ("A", "F")


def test_a_sublayer_begins_after_its_norm():
    graph = graph_of(Parts())
    _, first, _ = halves(graph)

    assert graph.operations[first.begin].name == "layer_norm"


def test_the_last_layer_is_named_by_its_parameters():
    graph = graph_of(Parts())
    _, first, second = halves(graph)

    assert (last_layer(graph, first), last_layer(graph, second)) == ((["wo"], ["bo"]), (["w2"], ["b2"]))


def test_a_norm_that_is_not_on_every_way_is_no_sublayers_input():
    parts = Parts()
    parts.other["second"] = lambda h: h + parts.feed_forward(parts.norm(h, 2) + 0.1 * h)
    graph = graph_of(parts)
    (middle,) = middles(graph, graph.value(graph.start))

    assert segment(graph, middle, graph.end) is None


def test_an_activation_after_the_last_layer_is_no_part_of_a_sublayer():
    parts = Parts()
    parts.other["second"] = lambda h: h + torch.relu(parts.feed_forward(parts.norm(h, 2)))
    graph = graph_of(parts)
    (middle,) = middles(graph, graph.value(graph.start))

    assert segment(graph, middle, graph.end) is None


def test_a_shortcut_from_the_blocks_input_leaves_no_gate_between_the_halves():
    parts = Parts()

    def whole(x):
        h = parts.first(x)
        return x + parts.feed_forward(parts.norm(h, 2))

    parts.other.update(first=whole, second=lambda y: y)

    graph = graph_of(parts)

    assert middles(graph, graph.value(graph.start)) == []


CUTS = {
    "skip": lambda p: lambda h: h.detach() + p.feed_forward(p.norm(h, 2)),
    "branch": lambda p: lambda h: h + p.feed_forward(p.norm(h, 2)).detach(),
    "norm": lambda p: lambda h: h + p.feed_forward(p.norm(h, 2).detach()),
    "input": lambda p: lambda h: h + p.feed_forward(p.norm(h.detach(), 2)),
    "all": lambda p: lambda h: (h + p.feed_forward(p.norm(h, 2))).detach(),
    "": lambda p: p.second,
}


@pytest.mark.parametrize("cut", CUTS)
def test_a_cut_gradient_is_found_where_it_is(cut):
    parts = Parts()
    parts.other["second"] = CUTS[cut](parts)
    graph = graph_of(parts)
    (middle, *_) = middles(graph, graph.value(graph.start))

    assert cut_at(graph, middle, segment(graph, middle, graph.end), graph.end) == cut


SCALES = {
    "by the root": (None, 0.5),
    "before the product": (lambda q, k: (q / math.sqrt(q.shape[-1])) @ k.mT, 0.5),
    "split between both": (lambda q, k: (q * 4**-0.25) @ (k * 4**-0.25).mT, 0.5),
    "not at all": (lambda q, k: q @ k.mT, 1.0),
    "by the size": (lambda q, k: q @ k.mT / 4, 0.25),
    "in einsum": (lambda q, k: torch.einsum("bhqd,bhkd->bhqk", q, k) / 2, 0.5),
}


@pytest.mark.parametrize("how", SCALES)
def test_the_scale_of_scores_is_read(how):
    scores, scale = SCALES[how]
    graph = graph_of(Parts(**({} if scores is None else {"scores": scores})))
    _, first, _ = halves(graph)

    (head,) = heads(graph, first)

    assert head.scale == pytest.approx(scale, rel=1e-6)
    assert head.is_scaled == (scale == 0.5)


@pytest.mark.parametrize("scale", [None, 1.0, 0.3])
@pytest.mark.parametrize(("is_causal", "tokens"), [(True, 6), (False, 3), (False, 4)])
def test_the_scale_of_a_fused_attention_is_read(scale, is_causal, tokens):
    parts = Parts()

    def attention(n):
        q, k, v = (
            functional.linear(n, parts.p[name]).unflatten(-1, (3, 4)).transpose(1, 2) for name in ("wq", "wk", "wv")
        )
        mixed = functional.scaled_dot_product_attention(q, k, v, is_causal=is_causal, scale=scale)
        return parts.project(mixed.transpose(1, 2).flatten(2))

    parts.attention = attention
    graph = graph_of(parts, tokens)
    _, first, _ = halves(graph)

    (head,) = heads(graph, first)

    assert head.scale == pytest.approx(0.5 if scale is None else scale, rel=1e-6)


@pytest.mark.parametrize(("axis", "over_queries"), [(-1, False), (-2, True)])
def test_a_softmax_along_the_queries_is_seen(axis, over_queries):
    parts = Parts()

    def attention(n):
        q, k, v = (
            functional.linear(n, parts.p[name]).unflatten(-1, (3, 4)).transpose(1, 2) for name in ("wq", "wk", "wv")
        )
        return parts.project((torch.softmax(parts.scores(q, k), axis) @ v).transpose(1, 2).flatten(2))

    parts.attention = attention
    graph = graph_of(parts)
    _, first, _ = halves(graph)

    (head,) = heads(graph, first)

    assert head.over_queries is over_queries


def test_an_output_projection_is_seen():
    graph = graph_of(Parts())
    _, first, _ = halves(graph)
    (head,) = heads(graph, first)

    assert is_projected(graph, first, head)


def test_values_that_are_the_keys_are_seen():
    parts = Parts()
    parts.p["wv"] = parts.p["wk"]
    graph = graph_of(parts)
    _, first, _ = halves(graph)
    (head,) = heads(graph, first)

    assert head.values_are_keys
