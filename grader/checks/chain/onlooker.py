"""Looking at a chain of layers from outside: built with known random parameters, it is told apart by its numbers.

`build(sizes, shortcut)` makes the student's network. Which parameter belongs to which layer follows from shapes, and
where these do not tell, from gradients (see `entries`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from typing import NoReturn, TypeAlias

import torch

from grader.checks.chain.activations import ACTIVATION, ERF, LESSON
from grader.checks.chain.entries import Entries, found_entries
from grader.checks.chain.layers import AGREES, FORMULA, Rule, Seen, layer, residual
from grader.checks.chain.layout import Layout, Places, are_plain, layout_of
from grader.checks.chain.rules import COUNT
from grader.checks.draw import Draw
from grader.checks.expect import cannot_tell, fail
from grader.checks.student import Remote
from grader.sandbox.session import StudentRaised

Build: TypeAlias = Callable[[Sequence[int], bool], Remote]

SIZE = 2.0  # of random weights: large enough that five layers of GELU do not shrink the input to nothing
FACTOR = 2.0  # what a single number beside the layers is set to, so that it can be read off a formula
ALL_DIFFERENT = (5, 2, 6, 3, 7, 4)
USUAL = tuple(Rule(FORMULA, layer(ACTIVATION[name])) for name in (LESSON, ERF))


def parameters(net: Remote, width: int) -> dict[str, torch.Tensor]:
    """The parameters of a network. Layers that learn their sizes from a first input get one before."""
    try:
        return net.parameters()
    except StudentRaised:
        net.call(torch.ones(2, width))
        return net.parameters()


def layout(build: Build, shortcut: bool) -> Layout:
    """Which parameter is which by its shape, from a network whose sizes all differ."""
    values = parameters(build(ALL_DIFFERENT, shortcut), ALL_DIFFERENT[0]).values()
    return layout_of([tuple(value.shape) for value in values], ALL_DIFFERENT)


class Onlooker:
    """Builds networks with known random parameters and looks at what they return.

    With `untouched`, parameters that no layer needs keep the values that they start with.
    """

    def __init__(self, build: Build, draw: Draw, *, untouched: bool = False) -> None:
        self.new, self.draw, self._untouched = build, draw, untouched
        self._layouts: dict[bool, Layout] = {}
        self._entries: dict[tuple[int, ...], Entries | None] = {}

    def keeping_others(self) -> Onlooker:
        """One that leaves parameters which no layer needs as they start."""
        return Onlooker(self.new, self.draw, untouched=True)

    def has_factor(self) -> bool:
        """Whether there is a single trainable number beside the layers."""
        others = self.layout(True).others
        return not self._untouched and bool(others) and max(math.prod(shape) for shape in others) == 1

    def layout(self, shortcut: bool) -> Layout:
        """Which parameter is which by its shape."""
        if shortcut not in self._layouts:
            self._layouts[shortcut] = layout(self.new, shortcut)
        return self._layouts[shortcut]

    def entries(self, sizes: Sequence[int]) -> Entries | None:
        """Which number is which where shapes do not tell, from a network without shortcuts."""
        if tuple(sizes) not in self._entries:
            self._entries[tuple(sizes)] = found_entries(self.build(sizes, False)[0], sizes, self.draw)
        return self._entries[tuple(sizes)]

    def places(self, values: Sequence[torch.Tensor], sizes: Sequence[int], shortcut: bool) -> Iterator[Places]:
        """Every way in which these values may be the weights and biases of the layers, the likeliest first."""
        shapes = self.layout(shortcut)
        found = False
        if len(shapes.weights) == COUNT:
            for one in shapes.variants(values, sizes):
                found = True
                yield one
        if not found and (entries := self.entries(sizes)) is not None:
            yield entries

    def build(self, sizes: Sequence[int], shortcut: bool) -> tuple[Remote, list[torch.Tensor]]:
        """A network and its parameters, which are random now."""
        net = self.new(sizes, shortcut)
        at_first = parameters(net, sizes[0])
        values = self.draw.parameters(net, SIZE)
        known = self.layout(shortcut)
        used = {*(at for at, _ in known.weights.values()), *known.biases.values(), *known.lengths.values()}
        if known.others and len(known.weights) == COUNT:
            others = {name: value for at, (name, value) in enumerate(at_first.items()) if at not in used}
            kept = {
                name: value if self._untouched else torch.full_like(value, FACTOR)
                for name, value in others.items()
                if self._untouched or value.numel() == 1
            }
            net.assign({**values, **kept})
            values |= kept
        return net, list(values.values())

    def look(self, sizes: Sequence[int], shortcut: bool, rows: int = 7) -> Seen:
        """What a network returns for a random input."""
        return self.look_at(*self.build(sizes, shortcut), sizes, shortcut, rows)[0]

    def look_at(
        self, net: Remote, values: list[torch.Tensor], sizes: Sequence[int], shortcut: bool, rows: int = 7
    ) -> tuple[Seen, Places]:
        """What this network returns for a random input, and where its weights and biases are."""
        x, output = self.draw.input(rows, sizes[0]), None
        try:
            output = net(x)
        except StudentRaised as error:
            if not re.search("size of tensor|shapes cannot be multiplied", error.frame.text):
                raise
        first = None
        for one in self.places(values, sizes, shortcut):
            if (layers := one.layers(values, sizes)) is None:
                continue
            seen = Seen(tuple(sizes), shortcut, x, output, layers)
            if any(residual(rule, [seen]) <= AGREES for rule in USUAL):
                return seen, one
            first = first or (seen, one)
        if first is None:
            not_a_chain(values)
        return first


def not_a_chain(values: Sequence[torch.Tensor]) -> NoReturn:
    """End the check where weights and biases could not be found: a failure only if they are surely not there."""
    expected = "One nn.Linear for each pair of neighbours in layer_sizes, made in `__init__`."
    if not values or are_plain([tuple(value.shape) for value in values]):
        fail("Your network does not have a weight and a bias for each layer, so this cannot be tested.",
             expected=expected, tag="wrong-size")  # fmt: skip
    cannot_tell(
        "Your network keeps its weights in a way that cannot be looked into, so your teacher decides on this.",
        expected=expected,
        staff_note="Neither shapes nor gradients told which number is which weight. Compare the forward by eye.",
    )
