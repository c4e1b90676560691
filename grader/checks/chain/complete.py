"""Whether a network has the layers that its sizes ask for, each with a weight and a bias of its own, and no more."""

from __future__ import annotations

import itertools
import math

import torch

from grader.checks.chain.activations import ACTIVATION, Tensor
from grader.checks.chain.layers import FORMULA, Rule, Seen, find, layer, unchanged
from grader.checks.chain.layout import Layout, are_plain
from grader.checks.chain.network import DEMO, EQUAL, blame, found_layers, found_network, found_usual
from grader.checks.chain.onlooker import ALL_DIFFERENT, Onlooker, not_a_chain, parameters
from grader.checks.chain.rules import COUNT
from grader.checks.expect import described, fail
from grader.checks.student import Remote
from grader.model.results import Formula


def explain_shape(look: Onlooker, net: Remote, value: Tensor) -> None:
    """A wrong shape may have a reason that says more than the shape."""
    shapes = [tuple(p.shape) for p in net.parameters().values()]
    listed = [shape for shape in shapes if len(shape) == 2]
    wanted = [(b, a) for a, b in itertools.pairwise(DEMO)]
    if listed and len(listed) < COUNT:
        expect_all_layers(look)
    if are_plain(shapes) and sorted(listed) not in (sorted(wanted), sorted((a, b) for b, a in wanted)):
        fail(f"The last size is 1, but your network returns {described(value)}: its layers have other sizes.",
             expected="Layers whose sizes follow layer_sizes.", tag="wrong-size")  # fmt: skip
    reply = net.call(torch.ones(2, 3))
    used = [leaf for leaf in net.leaves(reply) if len(leaf.shape) == 2]
    if reply.graph and len(used) < COUNT:
        fail(f"Your forward returns after {len(used)} of {COUNT} layers.", expected="All layers, one after the other.",
             tag="early-return")  # fmt: skip
    if value.dim() == 2 and listed and (found := found_network(look)) and found.rule.tag:
        blame(found, found.rule.tag)


def expect_all_layers(look: Onlooker) -> None:
    """Five weights also where all sizes are equal; fewer are either too few layers, or one that stands for several."""
    if sum(value.shape == (4, 4) for value in parameters(look.new(EQUAL, False), EQUAL[0]).values()) >= COUNT:
        return
    net, named = look.build(EQUAL, False)
    made_up = list(named.values())
    weights = [value for value in made_up if value.shape == (4, 4)]
    x = look.draw.input(6, 4)
    output = net(x)
    biases = [value.flatten() for value in made_up if value.numel() == 4]
    expected = f"{COUNT} layers for {COUNT + 1} sizes, each with parameters of its own."
    if look.once("repeated", lambda: _is_repeated(weights, biases, x, output)):
        fail(f"Your network uses one layer several times: {COUNT} layers share {len(weights)} weights.",
             expected=expected, tag="shared-layer")  # fmt: skip
    if not made_up:
        fail("`parameters()` lists no weights.", expected=expected, tag="wrong-size")
    if next(look.places(made_up, EQUAL, False), None) is not None:
        return
    if not are_plain([tuple(value.shape) for value in made_up]):
        not_a_chain(made_up)
    fail(f"For six sizes your network has {len(weights)} layers.", expected=expected, tag="wrong-size")


def _is_repeated(weights: list[Tensor], biases: list[Tensor], x: Tensor, output: Tensor) -> bool:
    """Whether five layers made of these fewer weights give the output (with any of the known activations)."""
    padded = biases if len(biases) == len(weights) else [torch.zeros(4)] * len(weights)
    for order in itertools.product(range(len(weights)), repeat=COUNT):
        if list(dict.fromkeys(order)) != list(range(len(weights))):
            continue
        seen = Seen(EQUAL, False, x, output, [(weights[k], padded[k]) for k in order])
        kinds = (layer(function) for function in (*ACTIVATION.values(), unchanged))
        rules = (Rule("", kind, flag=flag) for kind in kinds for flag in (lambda asked: False, lambda asked: True))
        if find(rules, [seen]) is not None:
            return True
    return False


NOTHING_ELSE = "One Linear layer with bias for each pair of neighbours in layer_sizes, and nothing else."


def expect_layout(look: Onlooker, shortcut: bool) -> None:
    """A weight and a bias of the right sizes for each layer, and no further parameters."""
    found = look.layout(shortcut)
    if len(found.weights) < COUNT or len(found.biases) < COUNT:
        if look.entries(ALL_DIFFERENT) is not None:
            return
        if not found.plain:
            not_a_chain(list(look.build(ALL_DIFFERENT, shortcut)[1].values()))
    if len(found.weights) < COUNT:
        missing = COUNT - len(found.weights)
        fail(f"{missing} of {COUNT} weights do not have the sizes that layer_sizes asks for.", expected=NOTHING_ELSE,
             tag="wrong-size")  # fmt: skip
    if len(found.biases) < COUNT:
        fail(f"{COUNT - len(found.biases)} of {COUNT} layers have no bias.", expected=NOTHING_ELSE, tag="missing-bias")
    if found.others:
        _expect_no_others(look, found)


def _expect_no_others(look: Onlooker, found: Layout) -> None:
    """Parameters that no layer needs: lengths of weights that are kept as directions are fine, all others are not."""
    if found.lengths and found_usual(look, [(ALL_DIFFERENT, False), (EQUAL, False)]):
        return
    numbers_of = [math.prod(shape) for shape in found.others]
    count = sum(numbers_of)
    what = "one trainable number" if count == 1 else f"{count:,} trainable numbers"
    words = f"Your network has {what} more than its {COUNT} layers need"
    words += ": another layer." if any(len(shape) == 2 for shape in found.others) else "."
    tag, start = "extra-op", "As it starts, it"
    if max(numbers_of) == 1:
        alone = found_layers(look)
        tag = "wrong-scale" if alone is not None and alone.rule.branch_tag is None else "wrong-activation"
    whole = found_network(look if tag == "wrong-scale" else look.keeping_others())
    formula = None
    if whole is not None and (whole.rule.tag or whole.rule.branch_tag):
        formula = Formula(whole.rule.text, FORMULA, whole.residual)
        words += f" {'It' if tag == 'wrong-scale' else start} computes {whole.rule.text}."
    fail(words, expected=NOTHING_ELSE, tag=tag, formula=formula)  # fmt: skip


WIDE, NARROW = (60, 2), (2 * EQUAL[0], 30)  # width, networks: narrow ones where each number's place must be found first


def first_values(look: Onlooker) -> tuple[list[Tensor], list[Tensor]]:
    """Weights and biases of new networks, as multiples of the bound within which nn.Linear draws them."""
    weights, biases = [], []
    shapes = look.layout(True)
    wide = list(parameters(look.new([WIDE[0]] * (COUNT + 1), True), WIDE[0]).values())
    by_shape = len(shapes.weights) == COUNT and next(shapes.variants(wide, [WIDE[0]] * (COUNT + 1)), None) is not None
    width, networks = WIDE if by_shape else NARROW
    sizes = (width,) * (COUNT + 1)
    for number in range(networks):
        first = by_shape and number == 0
        values = wide if first else list(parameters(look.new(sizes, True), width).values())
        places = next(look.places(values, sizes, True), None)
        layers = places.layers(values, sizes) if places is not None else None
        if layers is None:
            not_a_chain(values)
        weights += [weight.flatten() * math.sqrt(width) for weight, _ in layers]
        biases += [bias * math.sqrt(width) for _, bias in layers if not by_shape or shapes.biases]
    return weights, biases
