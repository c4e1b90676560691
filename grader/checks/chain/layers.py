"""Naming what a chain of Linear + activation layers computes, from the student's own parameters and numbers alone.

A catalogue of rules, from the one asked for to the mistakes that are known, is run with these parameters until one
gives the student's numbers. A rule that cannot be carried out (sizes that do not fit) agrees with code that raised for
the same reason.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import torch
from torch.nn import functional

from grader.checks.chain.activations import Activation, Tensor
from grader.checks.expect import NEAR, gap

AGREES = 1e-7  # constants that were typed with eight digits are what they stand for


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


Found = TypeVar("Found")
Branch = Callable[[Tensor, Tensor, Tensor, int], Tensor]


@dataclass(frozen=True)
class Rule:
    """A way to compute the network.

    `text` names the formula, `branch_tag` what is wrong with a layer by itself, `tag` what is wrong with shortcuts;
    `says` is a sentence for the student. `parts` are (formula, where) of layers that do not all compute the same.
    `start` is what happens to the input before the first layer.
    """

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
    start: Activation = lambda t: t
    parts: tuple[tuple[str, str], ...] = ()


class Made:
    """What operations made of the same tensors before: rules that begin alike share their first layers."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], tuple[object, tuple[object, ...]]] = {}

    def __call__(self, operation: Callable[..., Found], *given: object) -> Found:
        """What the operation gives for these."""
        key = (operation, *map(id, given))
        if key not in self._known:
            self._known[key] = operation(*given), given  # which stays alive, so that its id stays its own
        found: Found = self._known[key][0]  # type: ignore[assignment]  # what this operation gave
        return found


@dataclass(frozen=True)
class Seen:
    """A network of known parameters and its output (None when sizes did not fit in the student's code)."""

    sizes: tuple[int, ...]
    shortcut: bool
    x: Tensor
    output: Tensor | None
    layers: list[tuple[Tensor, Tensor]]


def run(rule: Rule, seen: Seen, made: Made | None = None) -> Tensor | None:
    """What the network would return by this rule, or None when sizes do not fit. Autograd follows."""
    made = made or Made()
    x = made(rule.start, seen.x)
    step = Step(0, seen.sizes, seen.shortcut, [x])
    wanted = rule.flag(seen.shortcut)
    try:
        for index, (weight, bias) in enumerate(seen.layers):
            if index in rule.leaves_out:
                continue
            step.index = index
            branch = rule.branch.at(index) if isinstance(rule.branch, Apart) else rule.branch
            step.branches.append(made(branch, x, weight, bias, index))
            added = wanted and rule.adds(step)
            x = made(torch.add, rule.skip(step), step.branch) if added else step.branch
            if rule.stops(step, added):
                break
            step.inputs.append(x)
    except RuntimeError:
        return None
    return x


def residual(rule: Rule, seen: Sequence[Seen], made: Made | None = None) -> float:
    """The largest deviation of a rule from what was seen; infinite as soon as it exceeds the near tier."""
    worst, made = 0.0, made or Made()
    for one in seen:
        output = run(rule, one, made)
        if output is None or one.output is None:
            distance = 0.0 if output is one.output else math.inf
        else:
            distance = made(gap, one.output, output)
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
    made = Made()
    for rule in rules:
        distance = residual(rule, seen, made)
        if distance <= AGREES:
            return Chain(rule, distance)
        if close is None and distance <= NEAR and rule.tag is None and rule.branch_tag is None:
            close = Chain(rule, distance, near=True)
    return close


def find_all(rules: Iterator[Rule], seen: Sequence[Seen]) -> list[Chain]:
    """Every rule that agrees with everything seen; else the first one that does so nearly if it is a right one.

    A rule that holds for all layers alike is the only one.
    """
    found: list[Chain] = []
    close: list[Chain] = []
    made = Made()
    for rule in rules:
        distance = residual(rule, seen, made)
        if distance <= AGREES:
            found.append(Chain(rule, distance))
            if not rule.parts:
                break
        elif not close and distance <= NEAR and rule.tag is None and rule.branch_tag is None:
            close.append(Chain(rule, distance, near=True))
    return found or close


def unchanged(t: Tensor) -> Tensor:
    """No activation at all."""
    return t


@dataclass(frozen=True)
class Around:
    """`after(Linear(before(x)))`, equal to every other branch that is the same: see `Made`."""

    after: Activation
    before: Activation = unchanged

    def __call__(self, x: Tensor, weight: Tensor, bias: Tensor, index: int) -> Tensor:
        """As Branch."""
        return self.after(functional.linear(self.before(x), weight, bias))


def layer(activation: Activation) -> Branch:
    """`activation(Linear(x))`."""
    return Around(activation)


@dataclass(frozen=True)
class Apart:
    """One branch in some layers, another one in all others."""

    some: frozenset[int]
    there: Branch
    elsewhere: Branch

    def __call__(self, x: Tensor, weight: Tensor, bias: Tensor, index: int) -> Tensor:
        """As Branch."""
        return self.at(index)(x, weight, bias, index)

    def at(self, index: int) -> Branch:
        """The branch of one layer."""
        return self.there if index in self.some else self.elsewhere


def alike(rule: Rule, **changes: object) -> Rule:
    """The same layers, joined in another way."""
    return replace(rule, **changes)  # type: ignore[arg-type]  # fields of Rule


ONE = "GELU(Linear(x))"  # a layer as it is asked for: what stands for it in the text of a rule
FORMULA = f"x + {ONE}"


def apart(*parts: tuple[str, str]) -> dict[str, object]:
    """`text` and `parts` of a rule whose layers do not all compute the same: (formula, where) of each kind."""
    return {"text": ", ".join(f"{formula} {where}" for formula, where in parts), "parts": parts}


def spelled(text: str, like: Rule) -> str:
    """The text of a rule that speaks of GELU(Linear(x)), for layers that compute what those of `like` do."""
    if not like.parts:
        return text.replace(ONE, like.text)
    if text in (ONE, FORMULA):
        return ", ".join(f"{text.replace(ONE, formula)} {where}" for formula, where in like.parts)
    return f"{text.replace(ONE, 'F(x)')}; F(x) is {like.text}"


def computing(like: Rule, rule: Rule) -> Rule:
    """The rule with layers that compute what those of `like` do."""
    return replace(
        rule, branch=like.branch, branch_tag=like.branch_tag, text=spelled(rule.text, like), start=like.start
    )
