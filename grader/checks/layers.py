"""Naming what a chain of Linear + activation layers computes, from the student's own parameters and numbers alone.

The layout (which parameter belongs to which layer) follows from shapes; then a catalogue of rules, from the one asked
for to the mistakes that are known, is run with these parameters until one gives the student's numbers. A rule that
cannot be carried out (sizes that do not fit) agrees with code that raised for the same reason.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import torch
from torch.nn import functional

from grader.checks.expect import EXACT, NEAR, gap

Tensor = torch.Tensor
Activation = Callable[[Tensor], Tensor]

# ---------------------------------------------------------------- the layout


@dataclass(frozen=True)
class Layout:
    """Which parameter, by its position in `parameters()`, is the weight (or its transpose) or the bias of a layer.

    `others` are the shapes of parameters that no layer needs.
    """

    weights: dict[int, tuple[int, bool]]
    biases: dict[int, int]
    others: tuple[tuple[int, ...], ...] = ()

    def layers(self, values: Sequence[Tensor], sizes: Sequence[int]) -> list[tuple[Tensor, Tensor]] | None:
        """(weight (out, in), bias (out,)) of each layer; a missing bias counts as zeros. None where shapes differ."""
        found = []
        for number, (n_in, n_out) in enumerate(itertools.pairwise(sizes)):
            at, turned = self.weights.get(number, (len(values), False))
            place = self.biases.get(number)
            if at >= len(values) or values[at].dim() != 2 or (place is not None and place >= len(values)):
                return None
            weight = values[at].T if turned else values[at]
            bias = weight.new_zeros(n_out) if place is None else values[place]
            if weight.shape != (n_out, n_in) or bias.numel() != n_out:
                return None
            found.append((weight, bias.reshape(n_out)))
        return found

    def variants(self, values: Sequence[Tensor], sizes: Sequence[int]) -> Iterator[Layout]:
        """This layout, then every other one that the shapes allow, for code that makes its layers in another order.

        The first weight belongs to the first bias, the second to the second, and so on.
        """
        if self.layers(values, sizes) is not None:
            yield self
        turned = all(flag for _, flag in self.weights.values())
        weights = [at for at, value in enumerate(values) if value.dim() == 2]
        biases = [at for at, value in enumerate(values) if value.dim() == 1]
        count = len(sizes) - 1
        if len(weights) != count or len(biases) not in (0, count):
            return
        wanted = [(b, a) for a, b in itertools.pairwise(sizes)]
        have = [tuple(values[at].T.shape if turned else values[at].shape) for at in weights]
        for order in itertools.permutations(range(count)):
            if [have[rank] for rank in order] == wanted:
                places = {n: biases[rank] for n, rank in enumerate(order)} if biases else {}
                yield Layout({n: (weights[rank], turned) for n, rank in enumerate(order)}, places)


def layout_of(shapes: Sequence[tuple[int, ...]], sizes: Sequence[int]) -> Layout:
    """The layout of a network whose `sizes` all differ (and exceed 1), so that a shape belongs to one layer only."""
    weights: dict[int, tuple[int, bool]] = {}
    biases: dict[int, int] = {}
    others = []
    for at, shape in enumerate(shapes):
        for number, (n_in, n_out) in enumerate(itertools.pairwise(sizes)):
            if shape in ((n_out, n_in), (n_in, n_out)) and number not in weights:
                weights[number] = (at, shape == (n_in, n_out))
                break
            if shape in ((n_out,), (1, n_out), (n_out, 1)) and number not in biases:
                biases[number] = at
                break
        else:
            others.append(shape)
    return Layout(weights, biases, tuple(others))


# ---------------------------------------------------------------- activations


def gelu(t: Tensor, factor: float = 0.044715, scale: float = math.sqrt(2 / math.pi), power: int = 3) -> Tensor:
    """The lesson's GELU, open to the usual slips."""
    return 0.5 * t * (1 + torch.tanh(scale * (t + factor * t**power)))


LESSON, ERF = "GELU", "GELU[erf]"
ACTIVATION: dict[str, Activation] = {
    LESSON: gelu, ERF: functional.gelu, "relu": torch.relu, "silu": functional.silu, "sigmoid": torch.sigmoid,
    "tanh": torch.tanh, "leaky_relu": functional.leaky_relu, "elu": functional.elu, "selu": functional.selu,
    "softplus": functional.softplus, "mish": functional.mish, "relu6": functional.relu6,
    "hardswish": functional.hardswish,
    "softmax": lambda t: torch.softmax(t, -1), "sin": torch.sin, "softsign": functional.softsign,
    "leaky_relu[0.1]": lambda t: functional.leaky_relu(t, 0.1),
    "leaky_relu[0.2]": lambda t: functional.leaky_relu(t, 0.2),
    "GELU[x·sigmoid(1.702·x)]": lambda t: t * torch.sigmoid(1.702 * t),
    "GELU[0.44715]": lambda t: gelu(t, 0.44715), "GELU[0.0044715]": lambda t: gelu(t, 0.0044715),
    "GELU[0.04715]": lambda t: gelu(t, 0.04715), "GELU[0.044715 missing]": lambda t: gelu(t, 1.0),
    "GELU[no cubic term]": lambda t: gelu(t, 0.0), "GELU[x² for x³]": lambda t: gelu(t, power=2),
    "GELU[2/π without root]": lambda t: gelu(t, scale=2 / math.pi),
    "GELU[√2/π]": lambda t: gelu(t, scale=math.sqrt(2) / math.pi),
    "GELU[√(π/2)]": lambda t: gelu(t, scale=math.sqrt(math.pi / 2)), "GELU[no √(2/π)]": lambda t: gelu(t, scale=1.0),
    "GELU[tanh around √(2/π) only]":
        lambda t: 0.5 * t * (1 + math.tanh(math.sqrt(2 / math.pi)) * (t + 0.044715 * t**3)),
    "GELU[no 0.5]": lambda t: 2 * gelu(t), "GELU[no 1 +]": lambda t: gelu(t) - 0.5 * t,
    "GELU[1 - tanh]": lambda t: t - gelu(t),
    "GELU[no x in front]": lambda t: 0.5 * (1 + torch.tanh(math.sqrt(2 / math.pi) * (t + 0.044715 * t**3))),
    "GELU[0.5·x + tanh]": lambda t: 0.5 * t + torch.tanh(math.sqrt(2 / math.pi) * (t + 0.044715 * t**3)),
}  # fmt: skip


# ---------------------------------------------------------------- rules


@dataclass
class Step:
    """One layer while a rule runs: its input `x`, what it made of it, and whether shortcuts were asked for."""

    index: int
    sizes: Sequence[int]
    asked: bool
    inputs: list[Tensor]
    branches: list[Tensor] = field(default_factory=list)

    @property
    def x(self) -> Tensor:
        """The input of this layer."""
        return self.inputs[-1]

    @property
    def branch(self) -> Tensor:
        """What the layer made of it."""
        return self.branches[-1]

    @property
    def fits(self) -> bool:
        """Whether both have the same shape."""
        return self.x.shape == self.branch.shape


Branch = Callable[[Tensor, Tensor, Tensor, int], Tensor]


@dataclass(frozen=True)
class Rule:
    """A way to compute the network. `text` names the formula, `branch_tag` what is wrong with a layer by itself, `tag`
    what is wrong with shortcuts; `says` is a sentence for the student."""

    text: str
    branch: Branch
    branch_tag: str | None = None
    tag: str | None = None
    says: str = ""
    flag: Callable[[bool], bool] = bool
    adds: Callable[[Step], bool] = lambda step: step.fits
    skip: Callable[[Step], Tensor] = lambda step: step.x
    stops: Callable[[Step, bool], bool] = lambda step, added: False
    leaves_out: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Seen:
    """A network of known parameters and its output (None when sizes did not fit in the student's code)."""

    sizes: tuple[int, ...]
    shortcut: bool
    x: Tensor
    output: Tensor | None
    layers: list[tuple[Tensor, Tensor]]


def run(rule: Rule, seen: Seen) -> Tensor | None:
    """What the network would return by this rule, or None when sizes do not fit. Autograd follows."""
    step = Step(0, seen.sizes, seen.shortcut, [seen.x])
    wanted = rule.flag(seen.shortcut)
    x = seen.x
    try:
        for index, (weight, bias) in enumerate(seen.layers):
            if index in rule.leaves_out:
                continue
            step.index = index
            step.branches.append(rule.branch(x, weight, bias, index))
            added = wanted and rule.adds(step)
            x = rule.skip(step) + step.branch if added else step.branch
            if rule.stops(step, added):
                break
            step.inputs.append(x)
    except RuntimeError:
        return None
    return x


def residual(rule: Rule, seen: Sequence[Seen]) -> float:
    """The largest deviation of a rule from what was seen; infinite as soon as it exceeds the near tier."""
    worst = 0.0
    for one in seen:
        made = run(rule, one)
        if made is None or one.output is None:
            distance = 0.0 if made is one.output else math.inf
        else:
            distance = gap(one.output, made)
        if not distance <= NEAR:  # NaN, too
            return math.inf
        worst = max(worst, distance)
    return worst


@dataclass(frozen=True)
class Chain:
    """The rule that was found. `near`: only within 1e-3."""

    rule: Rule
    residual: float
    near: bool = False


def find(rules: Iterator[Rule], seen: Sequence[Seen]) -> Chain | None:
    """The first rule that agrees with everything seen, else the first one that does so nearly if it is a right one."""
    close: Chain | None = None
    for rule in rules:
        distance = residual(rule, seen)
        if distance <= EXACT:
            return Chain(rule, distance)
        if close is None and distance <= NEAR and rule.tag is None and rule.branch_tag is None:
            close = Chain(rule, distance, near=True)
    return close


def layer(activation: Activation) -> Branch:
    """`activation(Linear(x))`."""
    return lambda x, weight, bias, index: activation(functional.linear(x, weight, bias))


def alike(rule: Rule, **changes: object) -> Rule:
    """The same layers, joined in another way."""
    return replace(rule, **changes)  # type: ignore[arg-type]  # fields of Rule
