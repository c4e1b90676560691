"""Looking at a chain of layers from outside: built with known random parameters, it is told apart by its numbers.

`build(sizes, shortcut)` makes the student's network. Which parameter belongs to which layer follows from shapes, and
where these do not tell, from gradients (see `entries`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from typing import NoReturn, TypeAlias, TypeVar

import torch

from grader.checks.chain.activations import ACTIVATION, ERF, LESSON
from grader.checks.chain.entries import Entries, found_entries
from grader.checks.chain.layers import AGREES, FORMULA, Rule, Seen, layer, residual
from grader.checks.chain.layout import Layout, Places, are_plain, layout_of
from grader.checks.chain.rules import COUNT
from grader.checks.draw import Draw
from grader.checks.expect import cannot_tell, fail
from grader.checks.student import Remote, Student
from grader.sandbox.session import StudentRaised

Build: TypeAlias = Callable[[Sequence[int], bool], Remote]
Found = TypeVar("Found")

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

    What was seen is kept for the other checks of the submission. With `untouched`, parameters that no layer needs keep
    the values that they start with.
    """

    def __init__(self, student: Student, build: Build, draw: Draw, *, untouched: bool = False) -> None:
        self.student, self.new, self.draw, self._untouched = student, build, draw, untouched

    def keeping_others(self) -> Onlooker:
        """One that leaves parameters which no layer needs as they start."""
        return Onlooker(self.student, self.new, self.draw, untouched=True)

    def once(self, name: str, find: Callable[[], Found]) -> Found:
        """As `Student.once`, of what is found with these values for parameters that no layer needs."""
        return self.student.once(f"{name}, others untouched" if self._untouched else name, find)

    def has_factor(self) -> bool:
        """Whether there is a single trainable number beside the layers."""
        others = self.layout(True).others
        return not self._untouched and bool(others) and max(math.prod(shape) for shape in others) == 1

    def layout(self, shortcut: bool) -> Layout:
        """Which parameter is which by its shape."""
        return self.student.once(f"layout, {shortcut}", lambda: layout(self.new, shortcut))

    def entries(self, sizes: Sequence[int]) -> Entries | None:
        """Which number is which where shapes do not tell, from a network without shortcuts."""
        return self.student.once(f"entries, {tuple(sizes)}", lambda: self._entries(sizes))

    def _entries(self, sizes: Sequence[int]) -> Entries | None:
        net = self.new(sizes, False).eval()
        parameters(net, sizes[0])
        return found_entries(net, sizes, self.draw)

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

    def build(self, sizes: Sequence[int], shortcut: bool, size: float = SIZE) -> tuple[Remote, dict[str, torch.Tensor]]:
        """A network and its parameters by name, which are random now."""
        net = self.new(sizes, shortcut).eval()
        at_first, known = parameters(net, sizes[0]), self.layout(shortcut)
        values = {name: self.draw.moved(value, size) for name, value in at_first.items()}
        if known.others and len(known.weights) == COUNT:
            used = {*(at for at, _ in known.weights.values()), *known.biases.values(), *known.lengths.values()}
            for name, value in (one for at, one in enumerate(at_first.items()) if at not in used):
                if self._untouched or value.numel() == 1:
                    values[name] = value if self._untouched else torch.full_like(value, FACTOR)
        net.assign(values)
        return net, values

    def look(self, sizes: Sequence[int], shortcut: bool, rows: int = 7) -> Seen:
        """What a network returns for a random input."""
        return self.once(f"seen, {tuple(sizes)}, {shortcut}, {rows}", lambda: self._look(sizes, shortcut, rows))

    def _look(self, sizes: Sequence[int], shortcut: bool, rows: int) -> Seen:
        net, values = self.build(sizes, shortcut)
        return self.look_at(net, list(values.values()), sizes, shortcut, rows)[0]

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
