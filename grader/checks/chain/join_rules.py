"""How the layers of a chain may be joined: by the shortcuts asked for, or by the mistakes that are known."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

import torch
from torch.nn import functional

from grader.checks.chain.activations import ACTIVATION, LESSON
from grader.checks.chain.layers import FORMULA, Rule, Step, alike, computing, layer
from grader.checks.chain.rules import COUNT, named, subsets

Condition: TypeAlias = Callable[[Step], bool]


def width(tensor: torch.Tensor) -> int:
    """The size of the last axis."""
    return tensor.shape[-1]


CONDITIONS: tuple[tuple[str, str, str, Condition], ...] = (
    ("in every layer, whether the shapes match or not", "shortcut-condition",
     "With shortcuts on, your network adds the input in layers where the shapes differ, too.", lambda s: True),
    ("where the shapes differ", "shortcut-condition",
     "Your network adds the input where the shapes differ, and leaves it out where they match.", lambda s: not s.fits),
    ("wherever broadcasting allows it", "silent-broadcast",
     "Your network also adds where the shapes differ but broadcasting makes them fit.",
     lambda s: width(s.x) == width(s.branch) or 1 in (width(s.x), width(s.branch))),
    ("where the output is not wider", "shortcut-condition", "", lambda s: width(s.x) >= width(s.branch)),
    ("where the input is not wider", "shortcut-condition", "", lambda s: width(s.x) <= width(s.branch)),
    ("where the input has width 3", "shortcut-condition", "", lambda s: width(s.x) == 3),
    ("where both have width 3", "shortcut-condition", "", lambda s: s.fits and width(s.x) == 3),
    ("where the output has the width of the network's input", "shortcut-condition", "",
     lambda s: width(s.branch) == s.sizes[0]),
    ("where the layer's input has the width of the network's input", "shortcut-condition", "",
     lambda s: width(s.x) == s.sizes[0]),
    ("where the shapes match and both are those of the network's input", "shortcut-condition", "",
     lambda s: s.fits and width(s.x) == s.sizes[0]),
    ("where the output is not of width 1", "shortcut-condition", "", lambda s: width(s.branch) != 1),
    ("where the sizes before this layer match", "shortcut-condition", "",
     lambda s: s.index > 0 and s.sizes[s.index - 1] == s.sizes[s.index]),
    ("where the sizes after this layer match", "shortcut-condition", "",
     lambda s: s.index + 2 < len(s.sizes) and s.sizes[s.index + 1] == s.sizes[s.index + 2]),
    ("in all layers if the first two sizes match", "shortcut-condition", "", lambda s: s.sizes[0] == s.sizes[1]),
    ("in all layers if the first and the last size match", "shortcut-condition", "",
     lambda s: s.sizes[0] == s.sizes[-1]),
    ("where the shapes match, if all hidden sizes are equal", "shortcut-condition", "",
     lambda s: s.fits and len(set(s.sizes[:-1])) == 1),
    ("where the shapes match, if all sizes are equal", "shortcut-condition", "", lambda s: len(set(s.sizes)) == 1),
)  # fmt: skip


def condition_rules() -> Iterator[Rule]:
    """Layers that get a shortcut: by shape, by a wrong condition, by position."""
    plain, right = Rule("", layer(ACTIVATION[LESSON])), FORMULA
    for where, tag, says, adds in CONDITIONS:
        yield alike(plain, text=f"{right} {where}", tag=tag, adds=adds,
                    says=says or f"With shortcuts on, your network adds the input {where}.")  # fmt: skip
    for some in subsets()[:-1]:
        rest = named([index for index in range(COUNT) if index not in some])
        yield alike(plain, text=f"GELU(Linear(x)) in {rest}, {right} in {named(some)}", tag="missing-skip",
                    says=f"Your network does not add the input back in {rest}, even if the shapes match.",
                    adds=lambda step, some=some: step.fits and step.index in some)  # fmt: skip
        yield alike(plain, text=f"{right} in {named(some)}, whatever the shapes are", tag="shortcut-condition",
                    says=f"Your network has shortcuts in {named(some)}, whatever the shapes are, and nowhere else.",
                    adds=lambda step, some=some: step.index in some)  # fmt: skip
    for where, adds in (
        (
            "in the first layer whose shapes match",
            lambda step: step.fits and not any(_fitting(step.sizes)[: step.index]),
        ),
        (
            "in the last layer whose shapes match",
            lambda step: step.fits and not any(_fitting(step.sizes)[step.index + 1 :]),
        ),
    ):
        yield alike(plain, text=f"{right} {where} only", tag="missing-skip", adds=adds,
                    says=f"Your network adds the input back {where}, and in no other.")  # fmt: skip
    for where, stops in (
        ("the first layer whose shapes differ", lambda step, added: not step.fits),
        ("the first shortcut", lambda step, added: added),
        ("the first layer without a shortcut", lambda step, added: not added),
        *((f"layer {n + 1}", lambda step, added, n=n: step.index == n) for n in range(COUNT - 1)),
    ):
        yield alike(plain, text=f"{right} up to {where}", tag="early-return", stops=stops,
                    says=f"Your forward returns after {where}.")  # fmt: skip


def _fitting(sizes: Sequence[int]) -> list[bool]:
    """Which layers have an input and an output of the same size."""
    return [a == b for a, b in itertools.pairwise(sizes)]


def source_rules() -> Iterator[Rule]:
    """Shortcuts that bring another tensor than the layer's input, or that span other stretches."""
    plain, tag = Rule("", layer(ACTIVATION[LESSON])), "wrong-skip-tensor"
    sources: tuple[tuple[str, str, Callable[[Step], torch.Tensor]], ...] = (
        ("x0", "the network's first input", lambda s: s.inputs[0]),
        ("x_before", "the input of the layer before", lambda s: s.inputs[-2] if len(s.inputs) > 1 else s.x),
        ("F_before", "what the layer before made, without its shortcut",
         lambda s: s.branches[-2] if len(s.branches) > 1 else s.x),
        ("F(x)", "the layer's own output", lambda s: s.branch),
    )  # fmt: skip
    for name, words, skip in sources:
        says, text = f"Your network adds {words}, not the input of the layer.", f"{name} + GELU(Linear(x))"
        for adds in (
            lambda step, skip=skip: skip(step).shape == step.branch.shape,
            lambda step: step.fits,
            lambda step, name=name: (len(step.inputs) > 1 or name == "x0") and step.fits,
        ):
            yield alike(plain, text=text, tag=tag, says=says, skip=skip, adds=adds)
        yield alike(plain, text=text, tag=tag, says=says, skip=skip,
                    adds=lambda step, skip=skip: len(step.inputs) > 1
                    and skip(step).shape == step.branch.shape)  # fmt: skip
    yield alike(plain, text="x0 + x + GELU(Linear(x))", tag=tag,
                says="Your network adds the network's first input, too.",
                skip=lambda step: step.inputs[0] + step.x)  # fmt: skip
    yield alike(plain, text="all inputs so far + GELU(Linear(x))", tag=tag, skip=_all_inputs, adds=lambda step: True,
                says="Your network adds the inputs of all layers so far, not only this one's.")  # fmt: skip
    yield alike(plain, text="network(x) + x", tag="missing-skip", skip=lambda step: step.inputs[0],
                says="Your network adds its input once, at the very end, instead of at each layer.",
                adds=lambda step: step.index == COUNT - 1 and step.inputs[0].shape == step.branch.shape)  # fmt: skip
    for odd in (0, 1):
        for renew in (True, False):
            yield alike(plain, text="x + GELU(Linear(GELU(Linear(x))))", tag="missing-skip",
                        says="Your network has one shortcut for two layers, not one for each layer.",
                        skip=_of_pairs(odd, renew),
                        adds=lambda step, odd=odd, renew=renew: step.index % 2 == odd and
                        _of_pairs(odd, renew)(step).shape == step.branch.shape)  # fmt: skip
    yield alike(plain, text="pad(x) + GELU(Linear(x))", tag="extra-op", adds=lambda step: True,
                says="Your network cuts or pads the input where the shapes differ, and adds it there, too.",
                skip=lambda step: functional.pad(step.x, (0, width(step.branch) - width(step.x))))  # fmt: skip
    yield alike(plain, text="mean(x) + GELU(Linear(x)) where the shapes differ", tag="silent-broadcast",
                says="Where the shapes differ, your network adds the mean of the input.", adds=lambda step: True,
                skip=lambda step: step.x if step.fits else step.x.mean(-1, keepdim=True))  # fmt: skip
    for index in range(COUNT):
        yield alike(plain, text=f"{FORMULA} without layer {index + 1}", tag="sublayer-unused",
                    leaves_out=frozenset([index]), says=f"Your forward leaves layer {index + 1} out.")  # fmt: skip


def _all_inputs(step: Step) -> torch.Tensor:
    fitting = [value for value in step.inputs if value.shape == step.branch.shape]
    return sum(fitting, torch.zeros_like(step.branch))


def _of_pairs(odd: int, renew: bool) -> Callable[[Step], torch.Tensor]:
    """The tensor kept since the last layer at which one was added (or, with `renew`, might have been)."""

    def kept(step: Step) -> torch.Tensor:
        at = 0
        for index in range(step.index):
            if index % 2 == odd and (renew or step.inputs[at].shape == step.inputs[index + 1].shape):
                at = index + 1
        return step.inputs[at]

    return kept


def joined_rules(like: Rule) -> Iterator[Rule]:
    """Every way to join layers that each compute what those of `like` do."""

    def as_like(rule: Rule) -> Rule:
        return computing(like, rule)

    usual = Rule(FORMULA, like.branch)
    yield as_like(usual)
    ignored, inverted = "shortcut-flag-ignored", "shortcut-flag-inverted"
    without = "Your network adds the input back although use_shortcut is false."
    never = "With use_shortcut=True your network adds no input back: it does the same as without shortcuts."
    turned = "Your network has shortcuts when use_shortcut is false, and none when it is true."
    yield as_like(
        alike(usual, tag=ignored, flag=lambda flag: True, says=without, text=f"{FORMULA} with and without use_shortcut")
    )
    yield as_like(alike(usual, tag=ignored, flag=lambda flag: False, says=never, text="GELU(Linear(x))"))
    yield as_like(alike(usual, tag=ignored, flag=lambda flag: True, says=without,
                        adds=lambda step: step.asked or step.fits,
                        text=f"{FORMULA} if use_shortcut or the shapes match"))  # fmt: skip
    yield as_like(
        alike(usual, tag=inverted, flag=lambda flag: not flag, says=turned, text=f"{FORMULA} if not use_shortcut")
    )
    for rules in (condition_rules, source_rules):
        yield from map(as_like, rules())
    for rule in itertools.chain(condition_rules(), source_rules()):
        yield as_like(alike(rule, tag=ignored, flag=lambda flag: True, says=without))
        yield as_like(alike(rule, tag=inverted, flag=lambda flag: not flag, says=turned))
