"""What each layer of a Linear + GELU chain may compute: the one asked for first, then the mistakes that are known."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

import torch
from torch.nn import functional

from grader.checks.chain.activations import ACTIVATION, ERF, LESSON, Activation
from grader.checks.chain.layers import ONE, Apart, Around, Branch, Rule, Step, apart, layer, unchanged

COUNT = 5  # layers, for six sizes
LAST = frozenset({COUNT - 1})


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
        yield Rule(ONE, layer(ACTIVATION[name]))
    for name in list(ACTIVATION)[2:]:
        yield Rule(f"{name}(Linear(x))", layer(ACTIVATION[name]), "wrong-activation")
    for name in ACTIVATION:
        yield from _misplaced(name)
    for inner in (ACTIVATION[LESSON], ACTIVATION[ERF]):
        yield from _left_out(inner)
        yield from _one_more(inner)
    for count in range(1, COUNT):
        says = f"Your forward returns after layer {count}."
        plain = layer(ACTIVATION[LESSON])
        yield Rule(f"only {named(range(count))}", plain, "early-return", says=says, stops=_at(count - 1))


def _misplaced(name: str) -> Iterator[Rule]:
    """An activation at another place, or another one in some layers."""
    function, gelu = ACTIVATION[name], ACTIVATION[LESSON]
    read = LESSON if name == ERF else name
    wrong = None if read == LESSON else "wrong-activation"
    this, at_the_end, before = f"{read}(Linear(x))", "in the last layer", "before it"
    yield Rule(f"Linear({read}(x))", _first(function), "activation-order")
    for first, where in (({0}, "in layer 1"), (LAST, "in the last layer")):
        others = frozenset(range(COUNT)) - frozenset(first)
        yield _rule((("Linear(x)", where), (this, f"in {named(others)}")), _but(first, function, unchanged),
                    wrong or "missing-activation")  # fmt: skip
    if not wrong:
        return
    yield _rule(((this, at_the_end), (ONE, before)), _but(LAST, gelu, function), wrong)
    yield _rule(((ONE, at_the_end), (this, before)), _but(LAST, function, gelu), wrong)
    yield Rule(f"{read}({ONE})", layer(_After(function, gelu)), "extra-op")
    yield _rule(((f"{read}({ONE})", at_the_end), (ONE, before)), _but(LAST, gelu, _After(function, gelu)),
                "extra-op")  # fmt: skip


def _left_out(inner: Activation) -> Iterator[Rule]:
    for left_out in subsets():
        branch, tag = _but(left_out, inner, unchanged), "missing-activation"
        rest = frozenset(range(COUNT)) - left_out
        if not rest:
            yield Rule("Linear(x)", branch, tag)
        else:
            yield _rule((("Linear(x)", f"in {named(left_out)}"), (ONE, f"in {named(rest)}")), branch, tag)
    yield _rule((("Linear(x)", "in layer 1"), ("Linear(GELU(x))", f"in {named(range(1, COUNT))}")),
                _where({0}, layer(unchanged), _first(inner)), "activation-order")  # fmt: skip
    for some in subsets()[:-1]:
        rest = frozenset(range(COUNT)) - some
        branch = _where(some, _first(inner), layer(inner))
        yield _rule((("Linear(GELU(x))", f"in {named(some)}"), (ONE, f"in {named(rest)}")), branch, "activation-order")


def _one_more(inner: Activation) -> Iterator[Rule]:
    """Operations that nobody asked for."""
    twice = _After(inner, inner)
    rest = f"in {named(range(1, COUNT))}"
    yield Rule(f"GELU({ONE})", layer(twice), "extra-op")
    yield Rule("GELU(Linear(GELU(x)))", _between(inner, inner), "extra-op")
    yield _rule(((f"GELU({ONE})", "in the last layer"), (ONE, "before it")), _but(LAST, inner, twice), "extra-op")
    yield _rule((("GELU(Linear(GELU(x)))", "in layer 1"), (ONE, rest)), _between(inner, inner, {0}), "extra-op",
                "Your network applies GELU to its input.")  # fmt: skip
    yield _rule((("GELU(Linear(GELU(x)))", "in layer 1"), (ONE, rest)), layer(inner), "extra-op",
                "Your network applies GELU to its input.", start=inner)  # fmt: skip
    for name, norm in NORMS.items():
        yield Rule(f"{name}({ONE})", layer(_After(norm, inner)), "extra-op")
        yield Rule(f"GELU({name}(Linear(x)))", layer(_After(inner, norm)), "extra-op")
        yield Rule(f"GELU(Linear({name}(x)))", _between(norm, inner), "extra-op")
        yield _rule(((f"{name}({ONE})", "in the last layer"), (ONE, "before it")),
                    _but(LAST, inner, _After(norm, inner)), "extra-op",
                    "Your network normalises its output.")  # fmt: skip
        for before in (LAST, frozenset(range(1, COUNT)), frozenset(range(COUNT - 1))):
            others = frozenset(range(COUNT)) - before
            yield _rule(((f"GELU(Linear({name}(x)))", f"in {named(before)}"), (ONE, f"in {named(others)}")),
                        _between(norm, inner, before), "extra-op")  # fmt: skip
        inside = frozenset(range(COUNT - 1))
        yield _rule(((f"{name}({ONE})", f"in {named(inside)}"), (ONE, "in the last layer")),
                    _but(inside, inner, _After(norm, inner)), "extra-op")  # fmt: skip
        yield _rule(((f"GELU(Linear({name}(x)))", "in layer 1"), (ONE, rest)), layer(inner), "extra-op",
                    "Your network normalises its input.", start=norm)  # fmt: skip


def _rule(
    parts: tuple[tuple[str, str], ...], branch: Branch, tag: str, says: str = "", start: Activation | None = None
) -> Rule:
    return Rule(**apart(*parts), branch=branch, branch_tag=tag, says=says, start=start or unchanged)  # type: ignore[arg-type]


def _at(index: int) -> Callable[[Step, bool], bool]:
    return lambda step, added: step.index == index


def _between(before: Activation, after: Activation, some: Collection[int] = range(COUNT)) -> Branch:
    """`after(Linear(before(x)))`; `before` in some layers only."""
    return _where(some, Around(after, before), layer(after))


# As they are before training: a scale of 1, a shift of 0, and for a batch norm no statistics yet.
NORMS: dict[str, Activation] = {
    "Norm": lambda t: functional.layer_norm(t, t.shape[-1:]),
    "RMSNorm": lambda t: functional.rms_norm(t, t.shape[-1:]),
    "BatchNorm": lambda t: t / math.sqrt(1 + 1e-5),
}


@dataclass(frozen=True)
class _After:
    """`outer(inner(t))`."""

    outer: Activation
    inner: Activation

    def __call__(self, t: torch.Tensor) -> torch.Tensor:
        """As Activation."""
        return self.outer(self.inner(t))


def _first(function: Activation) -> Branch:
    return Around(unchanged, function)


def _but(some: Collection[int], usual: Activation, other: Activation) -> Branch:
    return _where(some, layer(other), layer(usual))


def _where(some: Collection[int], there: Branch, elsewhere: Branch) -> Branch:
    return Apart(frozenset(some), there, elsewhere)
