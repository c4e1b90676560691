"""Looking at a chain of layers from outside: built with known random parameters, it is told apart by its numbers.

`build(sizes, shortcut)` makes the student's network; which parameter belongs to which layer follows from shapes.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

import torch
from torch.nn import functional

from grader.checks.draw import Draw
from grader.checks.expect import EXACT, fail, gap
from grader.checks.identify import Half, SublayerCall, identify_half
from grader.checks.join_rules import FORMULA, joined_rules, width
from grader.checks.layer_rules import COUNT, layer_rules
from grader.checks.layers import (
    ACTIVATION,
    ERF,
    LESSON,
    Chain,
    Layout,
    Rule,
    Seen,
    alike,
    find,
    layer,
    layout_of,
    residual,
    run,
)
from grader.checks.student import Remote
from grader.sandbox.session import StudentRaised

Build: TypeAlias = Callable[[Sequence[int], bool], Remote]

DEMO = (3, 3, 3, 3, 3, 1)
EQUAL = (4, 4, 4, 4, 4, 4)
ALL_DIFFERENT = (5, 2, 6, 3, 7, 4)
ENDS_SQUARE = (4, 2, 6, 3, 5, 5)
ENDS_LIKE_THE_INPUT = (4, 2, 6, 3, 4, 4)
MIXED = (
    (3, 3, 1, 3, 3, 3),
    (3, 3, 5, 5, 1, 1),
    (4, 4, 4, 6, 6, 6),
    (5, 3, 3, 5, 5, 5),
    DEMO,
    ENDS_SQUARE,
    ENDS_LIKE_THE_INPUT,
)


def parameters(net: Remote, width: int) -> dict[str, torch.Tensor]:
    """The parameters of a network. Layers that learn their sizes from a first input get one before."""
    try:
        return net.parameters()
    except StudentRaised:
        net.call(torch.ones(2, width))
        return net.parameters()


def layout(build: Build, shortcut: bool) -> Layout:
    """Which parameter is which, from a network whose sizes all differ."""
    values = parameters(build(ALL_DIFFERENT, shortcut), ALL_DIFFERENT[0]).values()
    return layout_of([tuple(value.shape) for value in values], ALL_DIFFERENT)


USUAL = tuple(Rule(FORMULA, layer(ACTIVATION[name])) for name in (LESSON, ERF))


class Onlooker:
    """Builds networks with known random parameters and looks at what they return."""

    def __init__(self, build: Build, draw: Draw) -> None:
        self._build, self.draw = build, draw
        self._layouts: dict[bool, Layout] = {}

    def layout(self, shortcut: bool) -> Layout:
        """Which parameter is which."""
        if shortcut not in self._layouts:
            self._layouts[shortcut] = layout(self._build, shortcut)
        return self._layouts[shortcut]

    def build(self, sizes: Sequence[int], shortcut: bool) -> tuple[Remote, list[torch.Tensor]]:
        """A network and its parameters, which are random now."""
        net = self._build(sizes, shortcut)
        try:
            return net, list(self.draw.parameters(net).values())
        except StudentRaised:
            parameters(net, sizes[0])
            return net, list(self.draw.parameters(net).values())

    def look(self, sizes: Sequence[int], shortcut: bool, rows: int = 7) -> Seen:
        """What a network returns for a random input."""
        return self.look_at(*self.build(sizes, shortcut), sizes, shortcut, rows)[0]

    def look_at(
        self, net: Remote, values: list[torch.Tensor], sizes: Sequence[int], shortcut: bool, rows: int = 7
    ) -> tuple[Seen, Layout]:
        """What this network returns for a random input, and which of its parameters is which."""
        x, output = self.draw.input(rows, sizes[0]), None
        try:
            output = net(x)
        except StudentRaised as error:
            if not re.search("size of tensor|shapes cannot be multiplied", error.frame.text):
                raise
        first = None
        for one in self.layout(shortcut).variants(values, sizes):
            if (layers := one.layers(values, sizes)) is None:
                continue
            seen = Seen(tuple(sizes), shortcut, x, output, layers)
            if any(residual(rule, [seen]) <= EXACT for rule in USUAL):
                return seen, one
            first = first or (seen, one)
        if first is None:
            fail("Your network does not have a weight and a bias for each layer, so this cannot be tested.",
                 expected="One nn.Linear for each pair of neighbours in layer_sizes, made in `__init__`.")  # fmt: skip
        return first


def found_layers(look: Onlooker) -> Chain | None:
    """What each layer computes, seen without shortcuts: all sizes differ, so none can get in."""
    return find(layer_rules(), [look.look(ALL_DIFFERENT, False, 40)]) or found_activation(look)


def found_activation(look: Onlooker) -> Chain | None:
    """An activation outside the catalogue: with a last weight of zero, the output is that of the last bias."""
    sizes = (*ALL_DIFFERENT[:-1], 40)
    net, values = look.build(sizes, False)
    seen, which = look.look_at(net, values, sizes, False, 5)
    names, last = list(net.parameters()), which.weights[COUNT - 1][0]
    if COUNT - 1 not in which.biases or seen.output is None or seen.output.shape != (5, sizes[-1]):
        return None
    bias = which.biases[COUNT - 1]

    def activation(t: torch.Tensor) -> torch.Tensor:
        made = []
        for part in t.flatten().split(sizes[-1]):
            padded = torch.cat([part, part.new_zeros(sizes[-1] - len(part))])
            net.assign({names[last]: torch.zeros_like(values[last]), names[bias]: padded.reshape(values[bias].shape)})
            if (output := net(seen.x)).shape != (5, sizes[-1]):
                fail("Your network returns another shape for the same input.", expected="The same shape each time.")
            made.append(output[0, : len(part)])
        return torch.cat(made).reshape(t.shape)

    rule = Rule("g(Linear(x))", layer(activation), "wrong-activation")
    if not residual(rule, [seen]) <= EXACT:
        return None
    at = torch.tensor([-2.0, -1.0, 0.0, 1.0, 2.0])
    pairs = ", ".join(f"{value:.3g} for {t:g}" for t, value in zip(at.tolist(), activation(at).tolist(), strict=True))
    wanted = ", ".join(f"{value:.3g}" for value in ACTIVATION[LESSON](at).tolist())
    says = f"Your activation is not GELU: it gives {pairs}. GELU gives {wanted}."
    return Chain(alike(rule, says=says, branch=layer(torch.relu)), 0.0)


def is_usual(look: Onlooker, cases: Sequence[tuple[Sequence[int], bool]]) -> bool:
    """Whether the output is that of the formula, for these sizes with or without shortcuts."""
    seen = [look.look(sizes, shortcut) for sizes, shortcut in cases]
    return (found := find(iter(USUAL), seen)) is not None and not found.near


def found_network(look: Onlooker) -> Chain | None:
    """What the network computes, with shortcuts and without."""
    alone = found_layers(look)
    like = alone.rule if alone else Rule("GELU(Linear(x))", layer(ACTIVATION[LESSON]))
    seen = [look.look(EQUAL, shortcut) for shortcut in (False, True)]
    seen += [look.look(sizes, True) for sizes in MIXED] + [look.look(DEMO, False)]
    if like.branch_tag == "early-return":
        return alone
    usual = find(itertools.islice(joined_rules(like), 1), seen)
    if usual is not None and not usual.near:
        return usual
    found = next((rule for one in seen if one.sizes == ENDS_LIKE_THE_INPUT and (rule := found_join(like, one))), None)
    if found is not None:
        return found
    return find(joined_rules(like), seen) or (None if alone is None or like.branch_tag is None else alone)


JOINED = {
    "post-norm": "extra-op", "norm-on-output": "extra-op", "double-norm": "extra-op", "missing-norm": None,
    "skip-after-norm": "extra-op", "missing-skip": None,
}  # fmt: skip


def found_join(like: Rule, seen: Seen) -> Chain | None:
    """How a network joins the two paths of its last layer, the only one whose shapes match here."""
    x = run(alike(like, flag=lambda flag: False, stops=lambda step, added: step.index == COUNT - 2), seen)
    weight, bias = seen.layers[-1]
    if x is None or seen.output is None or seen.output.dim() != 2 or width(x) != weight.shape[1]:
        return None
    branch = like.branch(x, weight, bias, COUNT - 1)
    twice = {
        "F(F(x))": like.branch(branch, weight, bias, COUNT - 1),
        "F(x + F(x))": like.branch(x + branch, weight, bias, COUNT - 1),
    }
    known = {"x0": seen.x, "Linear(x)": functional.linear(x, weight, bias)}
    if not all(bool(torch.isfinite(t).all()) for t in (x, branch, seen.output, *twice.values())):
        return None
    if any(gap(seen.output, value) <= EXACT for value in (branch, x + branch)):
        return None
    for text, tag, value in _odd_joins(x, branch):
        if (distance := gap(seen.output, value)) <= EXACT:
            return _joined(like, text, tag, distance)
    for others in (known, {**twice, "gelu(x)": ACTIVATION[LESSON](x)}):
        found = identify_half(Half(x, [SublayerCall(x, branch)], seen.output, others=others))
        if found.text in ("x + F(x)", "F(x)", "x0 + F(x)"):
            return None
        twofold = "F(x + F" in (found.text or "")
        means = "sublayer-twice" if twofold else JOINED.get(found.tag or "", found.tag)
        if found.text is not None and means is not None:
            if "Linear(x)" in found.text and "F(" not in found.text:
                means = "activation-order" if "(x + Linear(x))" in found.text else "missing-activation"
            return _joined(like, found.text, means, found.residual or 0.0)
    return None


def _odd_joins(x: torch.Tensor, branch: torch.Tensor) -> Iterator[tuple[str, str, torch.Tensor]]:
    """Joins that would also fit another description, so these are tried first."""
    for axis, words in ((0, "over the batch"), (-1, "over the features")):
        yield f"x + mean {words} of F(x)", "silent-broadcast", x + branch.mean(axis, keepdim=True)
        yield f"mean {words} of x + F(x)", "silent-broadcast", x.mean(axis, keepdim=True) + branch
        first = branch[:1] if axis == 0 else branch[:, :1]
        yield f"x + first {words} of F(x)", "silent-broadcast", x + first
    yield "max(x, F(x))", "wrong-combine", torch.maximum(x, branch)
    yield "cat(x, F(x))[half]", "wrong-combine", torch.cat([x, branch], -1)[:, ::2]


def _joined(like: Rule, text: str, tag: str, distance: float) -> Chain:
    text = re.sub(r"\bgelu(_erf)?\b", "GELU", text.replace("over tokens", "over the batch"))
    for name, inner in (("F(x + F(x))", f"(x + {like.text})"), ("F(F(x))", f"({like.text})")):
        text = text.replace(name, like.text.replace("(x)", inner))
    text = text.replace("F(x)", like.text)
    says = f"With shortcuts on, layers of your network compute {text}."
    return Chain(Rule(text, like.branch, like.branch_tag, tag, says), distance)
