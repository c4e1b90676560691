"""Naming what a whole network of five layers computes: each layer by itself, and how layers are joined."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import NoReturn

import torch

from grader.checks.chain.activations import ACTIVATION, LESSON
from grader.checks.chain.join_rules import joined_rules
from grader.checks.chain.joins import found_join
from grader.checks.chain.layers import (
    AGREES,
    FORMULA,
    ONE,
    Chain,
    Made,
    Rule,
    Seen,
    alike,
    find,
    find_all,
    layer,
    residual,
    spelled,
    unchanged,
)
from grader.checks.chain.onlooker import ALL_DIFFERENT, FACTOR, USUAL, Onlooker
from grader.checks.chain.rules import COUNT, layer_rules, subsets
from grader.checks.expect import fail
from grader.model.results import Formula

ROWS = 40  # of the input that shows what a single layer computes
DEMO = (3, 3, 3, 3, 3, 1)
EQUAL = (4, 4, 4, 4, 4, 4)
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


def found_layers(look: Onlooker) -> Chain | None:
    """What each layer computes, seen without shortcuts: all sizes differ, so none can get in."""
    return next(iter(layers_like(look)), None)


def layers_like(look: Onlooker) -> list[Chain]:
    """All rules for single layers that agree: an operation between two layers may belong to either of them.

    An activation outside the catalogue is there by name only: the network that knows it does not outlive its check.
    """
    return look.once("layers", lambda: _layers_like(look))


def _layers_like(look: Onlooker) -> list[Chain]:
    if found := find_all(layer_rules(), [look.look(ALL_DIFFERENT, False, ROWS)]):
        return found
    other = found_activation(look)
    return [_named(other)] if other is not None else []


def _named(found: Chain) -> Chain:
    """Without the function that asks the network for numbers."""
    return replace(found, rule=alike(found.rule, branch=layer(unchanged)))


UNKNOWN = "g(Linear(x))"  # how a formula shows an activation outside the catalogue


def found_activation(look: Onlooker) -> Chain | None:
    """An activation outside the catalogue: with a last weight of zero, the output is that of the last bias."""
    sizes = (*ALL_DIFFERENT[:-1], 100)
    net, named = look.build(sizes, False)
    values = list(named.values())
    seen, which = look.look_at(net, values, sizes, False, 5)
    if seen.output is None or seen.output.shape != (5, sizes[-1]):
        return None
    zero = torch.zeros_like(seen.layers[-1][0])

    def activation(t: torch.Tensor) -> torch.Tensor:
        made = []
        for part in t.flatten().split(sizes[-1]):
            padded = torch.cat([part, part.new_zeros(sizes[-1] - len(part))])
            net.assign(dict(zip(named, which.with_layer(values, COUNT - 1, zero, padded), strict=True)))
            if (output := net(seen.x)).shape != (5, sizes[-1]):
                fail("Your network returns another shape for the same input.", expected="The same shape each time.",
                     tag="wrong-return")  # fmt: skip
            made.append(output[0, : len(part)])
        return torch.cat(made).reshape(t.shape)

    rule = Rule(UNKNOWN, layer(activation), "wrong-activation")
    if not residual(rule, [seen]) <= AGREES:
        return None
    at = torch.tensor([-2.0, -1.0, 0.0, 1.0, 2.0])
    pairs = ", ".join(f"{value:.3g} for {t:g}" for t, value in zip(at.tolist(), activation(at).tolist(), strict=True))
    wanted = ", ".join(f"{value:.3g}" for value in ACTIVATION[LESSON](at).tolist())
    says = f"Your activation is not GELU: it gives {pairs}. GELU gives {wanted}."
    return Chain(alike(rule, says=says), 0.0)


def found_usual(look: Onlooker, cases: Sequence[tuple[Sequence[int], bool]]) -> Chain | None:
    """The formula asked for, if the output is that for these sizes with or without shortcuts."""
    found = find(iter(USUAL), [look.look(sizes, shortcut) for sizes, shortcut in cases])
    return found if found is not None and not found.near else None


def found_network(look: Onlooker) -> Chain | None:
    """What the network computes, with shortcuts and without; what is said of `layers_like` holds here, too."""
    return look.once("network", lambda: _found_network(look))


def _found_network(look: Onlooker) -> Chain | None:
    alone = layers_like(look)
    if alone and alone[0].rule.branch_tag == "early-return":
        return alone[0]
    if alone and alone[0].rule.text == UNKNOWN:
        alone = [one for one in (found_activation(look),) if one is not None]
    seen = [look.look(EQUAL, shortcut) for shortcut in (False, True)]
    seen += [look.look(sizes, True) for sizes in MIXED] + [look.look(DEMO, False)]
    likes = [one.rule for one in alone] or [Rule(ONE, layer(ACTIVATION[LESSON]))]
    for attempt in (_as_asked, _by_parts, _by_rules, _by_choice):
        found = next((one for like in likes if (one := attempt(like, seen)) is not None), None)
        if found is not None:
            found = _with_factor(found) if look.has_factor() else found
            return _named(found) if likes[0].text == UNKNOWN else found
    return None


def _with_factor(found: Chain) -> Chain:
    """The formula where a trainable number was set to 2 for us to see it: it is `a` in the student's code."""
    text = found.rule.text.replace(f"{FACTOR:g}·", "a·")
    says = f"Your network computes {text}, with a trainable number a." if text != found.rule.text else found.rule.says
    return Chain(alike(found.rule, text=text, says=says), found.residual, found.near)


def _as_asked(like: Rule, seen: Sequence[Seen]) -> Chain | None:
    found = find(itertools.islice(joined_rules(like), 1), seen)
    return None if found is None or found.near else found


def _by_parts(like: Rule, seen: Sequence[Seen]) -> Chain | None:
    return next((found for one in seen if one.sizes == ENDS_LIKE_THE_INPUT and (found := found_join(like, one))), None)


def _by_rules(like: Rule, seen: Sequence[Seen]) -> Chain | None:
    few = 5 if like.text == UNKNOWN else None  # each value of an unknown activation is a question to the network
    return find(itertools.islice(joined_rules(like), few), seen)


def _by_choice(like: Rule, seen: Sequence[Seen]) -> Chain | None:
    """Shortcuts in a choice of layers that follows no rule of ours: each network shows which layers have one."""
    if like.text == UNKNOWN:
        return None
    worst, beyond, made = 0.0, False, Made()
    for one in seen:
        choices = (frozenset(), *subsets()) if one.shortcut else (frozenset(),)
        rules = ((some, alike(like, adds=lambda step, some=some: step.index in some)) for some in choices)
        found = next(((some, told) for some, rule in rules if (told := residual(rule, [one], made)) <= AGREES), None)
        if found is None:
            return None
        worst = max(worst, found[1])
        beyond = beyond or any(one.sizes[n] != one.sizes[n + 1] for n in found[0])
    where = "in layers whose shapes differ, too" if beyond else "in some of the layers whose shapes match, not in all"
    says = f"With shortcuts on, your network adds the input {where}."
    text = f"{spelled(FORMULA, like)} {where}"
    return Chain(alike(like, text=text, tag="shortcut-condition", says=says), worst)


ASKED = f"{FORMULA} with shortcuts on and matching shapes, {ONE} otherwise."


def blame(found: Chain | None, tag: str | None) -> NoReturn:
    """End the check with the formula that was found."""
    if found is None:
        fail("Your network computes something that is not a formula we know.",
             expected=ASKED, tag="unknown-formula", formula=Formula(None, FORMULA))  # fmt: skip
    rule = found.rule
    fail(rule.says or f"Each layer of your network computes {rule.text}.", tag=tag or "unknown-formula",
         expected=ASKED, formula=Formula(rule.text, FORMULA, found.residual))  # fmt: skip


def blame_layers(alone: Chain, whole: Chain | None) -> NoReturn:
    """End the check with what each layer computes, named as the network joins it."""
    says, tag = alone.rule.says or f"Each layer of your network computes {alone.rule.text}.", alone.rule.branch_tag
    text = whole.rule.text if whole is not None else alone.rule.text
    if whole is not None and whole.rule.branch_tag not in (None, tag):
        says, tag = f"Your network computes {text}.", whole.rule.branch_tag
    elif text != alone.rule.text:
        says += f" With shortcuts on, that makes {text}."
    fail(says, tag=tag or "unknown-formula", expected=ASKED,
         formula=Formula(text, FORMULA, max(alone.residual, whole.residual if whole else 0.0)))  # fmt: skip
