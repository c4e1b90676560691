"""What each layer of a Linear + GELU chain may compute: the one asked for first, then the mistakes that are known."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterator

import torch
from torch.nn import functional

from grader.checks.layers import ACTIVATION, ERF, LESSON, Activation, Branch, Rule, Step, layer

COUNT = 5  # layers, for six sizes


def named(layers: Collection[int]) -> str:
    """ "layer 2", "layers 1 and 3": counted from 1."""
    words = [str(number + 1) for number in sorted(layers)]
    return f"layer {words[0]}" if len(words) == 1 else f"layers {', '.join(words[:-1])} and {words[-1]}"


def subsets() -> list[frozenset[int]]:
    """Every choice of some of the five layers, the larger ones last."""
    return [frozenset(s) for size in range(1, COUNT + 1) for s in itertools.combinations(range(COUNT), size)]


def layer_rules() -> Iterator[Rule]:
    """What each layer may compute, from the one asked for to the mistakes that are known."""
    for name in (LESSON, ERF):
        yield Rule("GELU(Linear(x))", layer(ACTIVATION[name]))
    for name in list(ACTIVATION)[2:]:
        yield Rule(f"{name}(Linear(x))", layer(ACTIVATION[name]), "wrong-activation")
    for name, function in ACTIVATION.items():
        read = "GELU" if name == ERF else name
        wrong = None if read == LESSON else "wrong-activation"
        yield Rule(f"Linear({read}(x))", _first(function), "activation-order")
        yield Rule(f"Linear(x) in the last layer, {read}(Linear(x)) before it", _but({COUNT - 1}, function, unchanged),
                   wrong or "missing-activation")  # fmt: skip
        if wrong:
            yield Rule(f"{read}(Linear(x)) in the last layer, GELU(Linear(x)) before it",
                       _but({COUNT - 1}, ACTIVATION[LESSON], function), wrong)  # fmt: skip
            yield Rule(f"GELU(Linear(x)) in the last layer, {read}(Linear(x)) before it",
                       _but({COUNT - 1}, function, ACTIVATION[LESSON]), wrong)  # fmt: skip
            yield Rule(f"{read}(GELU(Linear(x)))", layer(_after(function, ACTIVATION[LESSON])), "extra-op")
            yield Rule(f"{read}(GELU(Linear(x))) in the last layer",
                       _but({COUNT - 1}, ACTIVATION[LESSON], _after(function, ACTIVATION[LESSON])),
                       "extra-op")  # fmt: skip
    yield from _gelu_rules()


def _gelu_rules() -> Iterator[Rule]:
    last = {COUNT - 1}
    for inner in (ACTIVATION[LESSON], ACTIVATION[ERF]):
        for left_out in subsets():
            text = "Linear(x)" if len(left_out) == COUNT else f"Linear(x) in {named(sorted(left_out))}"
            yield Rule(text, _but(left_out, inner, unchanged), "missing-activation")
        twice = _after(inner, inner)
        for text, branch in (
            ("GELU(GELU(Linear(x)))", layer(twice)),
            ("GELU(GELU(Linear(x))) in the last layer", _but(last, inner, twice)),
            ("GELU(Linear(GELU(x)))", _between(inner, inner)),
            ("Norm(GELU(Linear(x)))", layer(_after(_norm, inner))),
            ("GELU(Norm(Linear(x)))", layer(_after(inner, _norm))),
            ("GELU(Linear(Norm(x)))", _between(_norm, inner)),
        ):
            yield Rule(text, branch, "extra-op")
        says = "Your network normalises its input."
        yield Rule("GELU(Linear(x)) of Norm(x)", _between(_norm, inner, only=0), "extra-op", says=says)
    for count in range(1, COUNT):
        says = f"Your forward returns after layer {count}."
        plain = layer(ACTIVATION[LESSON])
        yield Rule(f"only {named(range(count))}", plain, "early-return", says=says, stops=_at(count - 1))


def _at(index: int) -> Callable[[Step, bool], bool]:
    return lambda step, added: step.index == index


def _between(before: Activation, after: Activation, only: int | None = None) -> Branch:
    """`after(Linear(before(x)))`; with `only`, `before` in that layer alone."""

    def branch(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor, index: int) -> torch.Tensor:
        return after(functional.linear(before(x) if only in (None, index) else x, weight, bias))

    return branch


def unchanged(t: torch.Tensor) -> torch.Tensor:
    """No activation at all."""
    return t


def _norm(t: torch.Tensor) -> torch.Tensor:
    return functional.layer_norm(t, t.shape[-1:])


def _after(outer: Activation, inner: Activation) -> Activation:
    return lambda t: outer(inner(t))


def _first(function: Activation) -> Branch:
    return lambda x, weight, bias, index: functional.linear(function(x), weight, bias)


def _but(some: Collection[int], usual: Activation, other: Activation) -> Branch:
    return lambda x, weight, bias, index: (other if index in some else usual)(functional.linear(x, weight, bias))
