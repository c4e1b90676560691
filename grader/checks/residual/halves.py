"""The formulas of the two halves of a transformer block."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import torch

from grader.checks.expect import EXACT, gap
from grader.checks.residual.anatomy import Anatomy, Sublayer, anatomy
from grader.checks.residual.graph import Graph
from grader.checks.residual.graph_halves import Segment, middles, segment
from grader.checks.residual.half import Half, Identified, NormNames, SublayerCall
from grader.checks.residual.identify import identify_half
from grader.checks.student import Remote

HALVES = {"A": "attn", "F": "ffn"}


@dataclass(frozen=True)
class BlockFound:
    """The formulas of both halves; `anatomy` is what they were read from, `bases` are the inputs of the halves."""

    first: Identified
    second: Identified
    anatomy: Anatomy
    bases: tuple[torch.Tensor, torch.Tensor]

    @property
    def text(self) -> str | None:
        """The formula of the whole block, None where a half is unknown."""
        known = self.first.text is not None and self.second.text is not None
        return f"h = {self.first.text}; y = {self.second.text}" if known else None

    def as_one(self, half: Identified) -> Identified:
        """The formula of the whole block, with the tag of one half; both halves wrong alike count as "both"."""
        where = "both" if self.first.tag == self.second.tag else half.half
        return replace(half, text=self.text, half=where)


def identify_block(
    block: Remote, x: torch.Tensor, take_apart: Callable[[Remote, torch.Tensor], Anatomy] = anatomy
) -> BlockFound | None:
    """Name both halves, or None when they cannot be told apart from outside.

    The module calls are looked at first; where they do not show a block as asked for, the graph of operations is.
    `take_apart` is `anatomy`, or that with a plan.
    """
    found = take_apart(block, x)
    if not isinstance(found.result, torch.Tensor) or found.result.shape != x.shape:
        return None
    best = _best(_tried(found, middle) for middle in (_middles(found) if found.sublayers else ()))
    if best is None or best.text is None:
        seen = _best(_tried(seen, middle) for seen, middle in _in_the_graph(block, x))
        best = min((one for one in (best, seen) if one is not None), key=_doubts, default=None)
    return best


def _best(tries: Iterator[BlockFound]) -> BlockFound | None:
    """The least doubtful reading; the first one without a mistake ends the search."""
    best: BlockFound | None = None
    for one in tries:
        if best is None or _doubts(one) < _doubts(best):
            best = one
        if _doubts(best)[:2] == (0, 0):
            break
    return best


def _tried(found: Anatomy, middle: torch.Tensor) -> BlockFound:
    first, second = _halves(found, middle)
    return BlockFound(first, second, found, (found.x, middle))


def _in_the_graph(block: Remote, x: torch.Tensor) -> Iterator[tuple[Anatomy, torch.Tensor]]:
    graph = Graph.of(block, x)
    if graph is None:
        return
    for middle, segments in halves_of(graph, x):
        result, value = graph.value(graph.end), graph.value(middle)
        if value is not None:
            norms = [(one.begin, norm) for one in segments for norm in one.norms]
            yield Anatomy(x, result, norms, [_sublayer(graph, one) for one in segments]), value


def halves_of(graph: Graph, x: torch.Tensor) -> Iterator[tuple[int, tuple[Segment, Segment]]]:
    """Every way to see two halves in a graph: where the first ends, and the sublayer of each."""
    for middle in middles(graph, x):
        first, second = segment(graph, graph.start, middle), segment(graph, middle, graph.end)
        if first is not None and second is not None:
            yield middle, (first, second)


def _sublayer(graph: Graph, found: Segment) -> Sublayer:
    values = tuple(value for number in found.inside if (value := graph.value(number)) is not None)
    return Sublayer(found.kind, values[0], values[-1], found.begin, (), values)


def _middles(found: Anatomy) -> list[torch.Tensor]:
    """What may stand between the halves: what is normalised before the second sublayer, its input, or what is left."""
    assert isinstance(found.result, torch.Tensor)
    firsts, seconds = _by_half(found)
    if not seconds:
        return [found.result]
    first, second = firsts[-1], seconds[0]
    between = [call.input for at, call in found.norms if first.at < at < second.at]
    return [*reversed(between), second.input, found.result - seconds[-1].output]


def _by_half(found: Anatomy) -> tuple[list[Sublayer], list[Sublayer]]:
    """The sublayers of each half: a second one of the same kind, called on the first one's result, stays with it."""
    first = 1
    while first < len(found.sublayers) and (
        found.sublayers[first].kind == found.sublayers[0].kind
        and len(found.sublayers) > 2
        and gap(found.sublayers[first].input, found.sublayers[first - 1].output) <= EXACT
    ):
        first += 1
    return found.sublayers[:first], found.sublayers[first:]


def _doubts(block: BlockFound) -> tuple[int, int, int, int]:
    """Fewest unknown halves, then fewest mistakes, then fewest kinds of mistakes, then the shortest formulas."""
    pair = (block.first, block.second)
    unknown = sum(half.text is None for half in pair)
    tags = [half.tag for half in pair if half.tag is not None]
    return unknown, len(tags), len(set(tags)), sum(len(half.text or "") for half in pair)


def _halves(found: Anatomy, middle: torch.Tensor) -> tuple[Identified, Identified]:
    assert isinstance(found.result, torch.Tensor)
    firsts, seconds = _by_half(found)
    norms = NormNames(extra=3)
    first = _half(found, (found.x, middle), firsts, ("x", firsts[0].kind, "Norm1"), norms)
    own = norms.names()
    kind: str = seconds[0].kind if seconds else "F"
    second = _half(found, (middle, found.result), seconds, ("h", kind, "Norm2"), norms)
    if second.tag is None and "Norm1(h)" in (second.text or ""):
        second = replace(second, tag="shared-norm")
    if "Norm2" not in norms and "Norm3" in own:  # what the second half has no norm for belongs to the first
        first, second = (
            replace(half, text=half.text and half.text.replace("Norm3", "Norm2")) for half in (first, second)
        )
    return first, second


def _half(
    found: Anatomy,
    ends: tuple[torch.Tensor, torch.Tensor],
    sublayers: list[Sublayer],
    names: tuple[str, str, str],
    norms: NormNames,
) -> Identified:
    base, result = ends
    normed = [norm.output for _, norm in found.norms if gap(norm.input, base) <= EXACT]
    others, earlier = {}, {}
    if names[0] == "h" and gap(found.x, base) > EXACT:
        others = {"x": found.x}
        earlier = {f"{one.kind}(…)": one.output for one in found.sublayers[:1] if gap(one.output, base) > EXACT}
    calls = [SublayerCall(sublayer.input, sublayer.output) for sublayer in sublayers]
    half = Half(base, calls, result, (), normed, others, names, HALVES[names[1]], norms, earlier)
    return _with_order(identify_half(half), found)


def _with_order(half: Identified, found: Anatomy) -> Identified:
    """Mistakes in which sublayer runs where, which the formula of one half alone does not show."""
    tags = {"FA": "swapped-order", "AA": "wrong-sublayer", "FF": "wrong-sublayer"}
    if half.tag is None and found.order in tags:
        return replace(half, tag=tags[found.order])
    if half.tag is None and len(found.order) > 2:
        return replace(half, tag="sublayer-twice")
    return half
