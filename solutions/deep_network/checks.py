"""Hidden checks of ExampleDeepNeuralNetwork: `x = x + GELU(Linear(x))`, five times."""

import itertools
import math
import re
from collections.abc import Callable, Iterator, Sequence
from types import ModuleType

import torch
from torch.nn import functional

from grader.checks import (
    Draw,
    Formula,
    Half,
    Remote,
    Student,
    StudentRaised,
    SublayerCall,
    check,
    described,
    expect_registered,
    expect_state,
    fail,
    gap,
    identify_half,
    same,
)
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

FORMULA = "x + GELU(Linear(x))"
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
COUNT = len(DEMO) - 1
FALSE_ALARM, EXACT = 1e-10, 1e-9

# What a layer computes by itself --------------------------------------------------------------------------------------


def named(layers: Sequence[int]) -> str:
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
        yield Rule(f"Linear(x) in the last layer, {read}(Linear(x)) before it", _but({COUNT - 1}, function, _same),
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
    norm = _norm
    for inner in (ACTIVATION[LESSON], ACTIVATION[ERF]):
        for left_out in subsets():
            text = "Linear(x)" if len(left_out) == COUNT else f"Linear(x) in {named(sorted(left_out))}"
            yield Rule(text, _but(left_out, inner, _same), "missing-activation")
        yield Rule("GELU(GELU(Linear(x)))", layer(_after(inner, inner)), "extra-op")
        yield Rule(
            "GELU(GELU(Linear(x))) in the last layer", _but({COUNT - 1}, inner, _after(inner, inner)), "extra-op"
        )
        yield Rule("GELU(Linear(GELU(x)))", lambda x, w, b, i, g=inner: g(functional.linear(g(x), w, b)), "extra-op")
        yield Rule("Norm(GELU(Linear(x)))", layer(_after(norm, inner)), "extra-op")
        yield Rule("GELU(Norm(Linear(x)))", layer(_after(inner, norm)), "extra-op")
        yield Rule(
            "GELU(Linear(Norm(x)))", lambda x, w, b, i, g=inner: g(functional.linear(_norm(x), w, b)), "extra-op"
        )
        yield Rule("GELU(Linear(x)) of Norm(x)",
                   lambda x, w, b, i, g=inner: g(functional.linear(x if i else _norm(x), w, b)), "extra-op",
                   says="Your network normalises its input.")  # fmt: skip
    for count in range(1, COUNT):
        yield Rule(f"only {named(range(count))}", layer(ACTIVATION[LESSON]), "early-return",
                   says=f"Your forward returns after layer {count}.",
                   stops=lambda step, added, last=count - 1: step.index == last)  # fmt: skip


def _same(t: torch.Tensor) -> torch.Tensor:
    return t


def _norm(t: torch.Tensor) -> torch.Tensor:
    return functional.layer_norm(t, t.shape[-1:])


def _after(outer, inner):  # noqa: ANN001, ANN202
    return lambda t: outer(inner(t))


def _first(function):  # noqa: ANN001, ANN202
    return lambda x, weight, bias, index: functional.linear(function(x), weight, bias)


def _but(some, usual, other):  # noqa: ANN001, ANN202
    return lambda x, weight, bias, index: (other if index in some else usual)(functional.linear(x, weight, bias))


# How layers are joined ------------------------------------------------------------------------------------------------

Condition = Callable[..., bool]


def _width(tensor: torch.Tensor) -> int:
    return tensor.shape[-1]


CONDITIONS: tuple[tuple[str, str, str, Condition], ...] = (
    ("in every layer, whether the shapes match or not", "shortcut-condition",
     "With shortcuts on, your network adds the input in layers where the shapes differ, too.", lambda s: True),
    ("where the shapes differ", "shortcut-condition",
     "Your network adds the input where the shapes differ, and leaves it out where they match.", lambda s: not s.fits),
    ("wherever broadcasting allows it", "silent-broadcast",
     "Your network also adds where the shapes differ but broadcasting makes them fit.",
     lambda s: _width(s.x) == _width(s.branch) or 1 in (_width(s.x), _width(s.branch))),
    ("where the output is not wider", "shortcut-condition", "", lambda s: _width(s.x) >= _width(s.branch)),
    ("where the input is not wider", "shortcut-condition", "", lambda s: _width(s.x) <= _width(s.branch)),
    ("where the input has width 3", "shortcut-condition", "", lambda s: _width(s.x) == 3),
    ("where both have width 3", "shortcut-condition", "", lambda s: s.fits and _width(s.x) == 3),
    ("where the output has the width of the network's input", "shortcut-condition", "",
     lambda s: _width(s.branch) == s.sizes[0]),
    ("where the layer's input has the width of the network's input", "shortcut-condition", "",
     lambda s: _width(s.x) == s.sizes[0]),
    ("where the shapes match and both are those of the network's input", "shortcut-condition", "",
     lambda s: s.fits and _width(s.x) == s.sizes[0]),
    ("where the output is not of width 1", "shortcut-condition", "", lambda s: _width(s.branch) != 1),
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
    for where, stops in (
        ("the first layer whose shapes differ", lambda step, added: not step.fits),
        ("the first shortcut", lambda step, added: added),
        ("the first layer without a shortcut", lambda step, added: not added),
        *((f"layer {n + 1}", lambda step, added, n=n: step.index == n) for n in range(COUNT - 1)),
    ):
        yield alike(plain, text=f"{right} up to {where}", tag="early-return", stops=stops,
                    says=f"Your forward returns after {where}.")  # fmt: skip


def source_rules() -> Iterator[Rule]:
    """Shortcuts that bring another tensor than the layer's input, or that span other stretches."""
    plain, tag = Rule("", layer(ACTIVATION[LESSON])), "wrong-skip-tensor"
    sources: tuple[tuple[str, str, Callable[..., torch.Tensor]], ...] = (
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
                skip=lambda step: functional.pad(step.x, (0, _width(step.branch) - _width(step.x))))  # fmt: skip
    yield alike(plain, text="mean(x) + GELU(Linear(x)) where the shapes differ", tag="silent-broadcast",
                says="Where the shapes differ, your network adds the mean of the input.", adds=lambda step: True,
                skip=lambda step: step.x if step.fits else step.x.mean(-1, keepdim=True))  # fmt: skip
    for index in range(COUNT):
        yield alike(plain, text=f"{FORMULA} without layer {index + 1}", tag="sublayer-unused",
                    leaves_out=frozenset([index]), says=f"Your forward leaves layer {index + 1} out.")  # fmt: skip


def _all_inputs(step) -> torch.Tensor:  # noqa: ANN001
    fitting = [value for value in step.inputs if value.shape == step.branch.shape]
    return sum(fitting, torch.zeros_like(step.branch))


def _of_pairs(odd: int, renew: bool):  # noqa: ANN202
    """The tensor kept since the last layer at which one was added (or, with `renew`, might have been)."""

    def kept(step) -> torch.Tensor:  # noqa: ANN001
        at = 0
        for index in range(step.index):
            if index % 2 == odd and (renew or step.inputs[at].shape == step.inputs[index + 1].shape):
                at = index + 1
        return step.inputs[at]

    return kept


def joined_rules(like: Rule) -> Iterator[Rule]:
    """Every way to join layers that each compute what those of `like` do."""

    def as_like(rule: Rule) -> Rule:
        text = rule.text.replace("GELU(Linear(x))", like.text)
        return alike(rule, branch=like.branch, branch_tag=like.branch_tag, text=text)

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


# Looking at a network -------------------------------------------------------------------------------------------------


def made(student: Student, sizes: Sequence[int], shortcut: bool) -> Remote:
    """A network in evaluation mode."""
    remote: Remote = student.ExampleDeepNeuralNetwork(list(sizes), shortcut)
    return remote.eval()


def parameters(net: Remote, width: int) -> dict[str, torch.Tensor]:
    """The parameters of a network. Layers that learn their sizes from a first input get one before."""
    try:
        return net.parameters()
    except StudentRaised:
        net.call(torch.ones(2, width))
        return net.parameters()


def works(attempt: Callable[[], object]) -> bool:
    """Whether the student's code does this without raising."""
    try:
        attempt()
    except StudentRaised:
        return False
    return True


def layout(student: Student, shortcut: bool) -> Layout:
    """Which parameter is which, from a network whose sizes all differ."""
    values = parameters(made(student, ALL_DIFFERENT, shortcut), ALL_DIFFERENT[0]).values()
    return layout_of([tuple(value.shape) for value in values], ALL_DIFFERENT)


USUAL = tuple(Rule(FORMULA, layer(ACTIVATION[name])) for name in (LESSON, ERF))


class Onlooker:
    """Builds networks with known random parameters and looks at what they return."""

    def __init__(self, student: Student, draw: Draw) -> None:
        self.student, self.draw = student, draw
        self._layouts: dict[bool, Layout] = {}

    def layout(self, shortcut: bool) -> Layout:
        """Which parameter is which."""
        if shortcut not in self._layouts:
            self._layouts[shortcut] = layout(self.student, shortcut)
        return self._layouts[shortcut]

    def build(self, sizes: Sequence[int], shortcut: bool) -> tuple[Remote, list[torch.Tensor]]:
        """A network and its parameters, which are random now."""
        net = made(self.student, sizes, shortcut)
        try:
            return net, list(self.draw.parameters(net).values())
        except StudentRaised:
            parameters(net, sizes[0])
            return net, list(self.draw.parameters(net).values())

    def look(self, sizes: Sequence[int], shortcut: bool, rows: int = 7) -> Seen:
        """What a network returns for a random input."""
        return self.look_at(*self.build(sizes, shortcut), sizes, shortcut, rows)[0]

    def look_at(self, net, values, sizes, shortcut, rows=7) -> tuple[Seen, Layout]:  # noqa: ANN001
        """What this network returns for a random input, and which of its parameters is which."""
        x, output = self.draw.input(rows, sizes[0]), None
        try:
            output = net(x)
        except StudentRaised as error:
            if not re.search("size of tensor|shapes cannot be multiplied", error.frame.text):
                raise
        first = None
        for one in self.layout(shortcut).variants(values, sizes):
            layers = one.layers(values, sizes)
            assert layers is not None
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
    if COUNT - 1 not in which.biases or seen.output is None:
        return None
    bias = which.biases[COUNT - 1]

    def activation(t: torch.Tensor) -> torch.Tensor:
        made = []
        for part in t.flatten().split(sizes[-1]):
            padded = torch.cat([part, part.new_zeros(sizes[-1] - len(part))])
            net.assign({names[last]: torch.zeros_like(values[last]), names[bias]: padded.reshape(values[bias].shape)})
            made.append(net(seen.x)[0, : len(part)])
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
    if x is None or seen.output is None or seen.output.dim() != 2 or _width(x) != weight.shape[1]:
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
        tag = "sublayer-twice" if "F(x + F" in (found.text or "") else JOINED.get(found.tag or "", found.tag)
        if found.text is not None and tag is not None:
            if "Linear(x)" in found.text and "F(" not in found.text:
                tag = "activation-order" if "(x + Linear(x))" in found.text else "missing-activation"
            return _joined(like, found.text, tag, found.residual or 0.0)
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


def blame(found: Chain | None, tag: str | None) -> None:
    """End the check with the formula that was found."""
    if found is None:
        fail("Your network computes something that is not a formula we know.",
             expected=f"{FORMULA} where shapes match, GELU(Linear(x)) elsewhere.",
             formula=Formula(None, FORMULA))  # fmt: skip
    rule = found.rule
    fail(rule.says or f"Each layer of your network computes {rule.text}.", tag=tag,
         expected=f"{FORMULA} with shortcuts on and matching shapes, GELU(Linear(x)) otherwise.",
         formula=Formula(rule.text, FORMULA, found.residual))  # fmt: skip


# Building and calling -------------------------------------------------------------------------------------------------


@check(
    points=1,
    concept="the interface",
    visible=True,
    hints=("Compare your `def` lines with the stub's, name by name.",),
)
def check_takes_the_arguments(student: Student) -> None:
    """ExampleDeepNeuralNetwork(layer_sizes, use_shortcut) can be built, and called with one tensor."""
    x = torch.tensor([[1.0, 0.0, -1.0]])
    student.show(inputs=[["model", f"ExampleDeepNeuralNetwork({list(DEMO)}, True)"], ["x", "[[1.0, 0.0, -1.0]]"]])
    build, sizes = student.ExampleDeepNeuralNetwork, list(DEMO)
    try:
        for shortcut in (False, True):
            build(sizes, shortcut).call(x)
    except StudentRaised as error:
        others: tuple[Callable[[], Remote], ...] = (
            lambda: build(layer_sizes=sizes, use_shortcut=True),
            lambda: build(True, sizes),
            lambda: build(*sizes, use_shortcut=True),
            lambda: build(*sizes, True),
            lambda: build(True, *sizes),
            lambda: build(sizes),
        )
        if any(works(lambda other=other: other().call(x)) for other in others):
            fail("Your class takes its arguments in another way than the task says.",
                 expected="ExampleDeepNeuralNetwork(layer_sizes, use_shortcut): a list of sizes, then True or False.",
                 tag="wrong-signature")  # fmt: skip
        raise error


@check(points=1, concept="shapes", visible=True, hints=("What shape does x have after each layer?",))
def check_returns_one_tensor(student: Student, draw: Draw) -> None:
    """The output is one tensor with one row for each row of the input, and keeps the number type."""
    net = student.ExampleDeepNeuralNetwork(list(DEMO), False)
    rows: list[list[str]] = []
    for shape in ((1, 3), (2, 3), (5, 3)):
        reply = net.call(torch.linspace(-1, 1, math.prod(shape)).reshape(shape))
        value = reply.value
        rows.append([str(shape), described(value)])
        student.show(
            table={
                "caption": f"Shapes, for layer_sizes={list(DEMO)}",
                "columns": ["input", "output"],
                "rows": list(rows),
            }
        )
        if not isinstance(value, torch.Tensor):
            fail(f"Your forward returned {described(value)}.", expected="One tensor.", tag="wrong-return")
        if tuple(value.shape) != (shape[0], 1):
            _explain_shape(student, draw, net, value)
            fail(f"For an input of shape {shape} your network returned shape {tuple(value.shape)}.",
                 expected=f"The shape {(shape[0], 1)}.", tag="wrong-return")  # fmt: skip
        if not bool(torch.isfinite(value).all()):
            fail("Your network returned NaN or infinity.", expected="Ordinary numbers.", tag="wrong-return")
        if value.dtype != torch.float64:
            fail("Your network turned a float64 input into another number type.",
                 expected="The number type of the input.", tag="wrong-dtype-device")  # fmt: skip
    for shape in ((3,), (2, 4, 3)):
        attempt = [None]
        if not works(lambda shape=shape, attempt=attempt: attempt.append(net.call(torch.ones(shape)).value)) or (
            gap(attempt[-1], torch.zeros(*shape[:-1], 1)) == math.inf
        ):
            student.remark(f"An input of shape {shape} does not work; the task asks for (batch, features) only.")


def _explain_shape(student: Student, draw: Draw, net: Remote, value: torch.Tensor) -> None:
    """A wrong shape may have a reason that says more than the shape."""
    listed = [tuple(p.shape) for p in net.parameters().values() if p.dim() == 2]
    wanted = [(b, a) for a, b in itertools.pairwise(DEMO)]
    if listed and len(listed) < COUNT:
        expect_all_layers(student, draw)
    if listed and sorted(listed) not in (sorted(wanted), sorted((a, b) for b, a in wanted)):
        fail(f"The last size is 1, but your network returns {described(value)}: its layers have other sizes.",
             expected="Layers whose sizes follow layer_sizes.", tag="wrong-size")  # fmt: skip
    reply = net.call(torch.ones(2, 3))
    used = [leaf for leaf in net.leaves(reply) if len(leaf.shape) == 2]
    if reply.graph and len(used) < COUNT:
        fail(f"Your forward returns after {len(used)} of {COUNT} layers.", expected="All layers, one after the other.",
             tag="early-return")  # fmt: skip
    if value.dim() == 2 and listed and (found := found_network(Onlooker(student, draw))) and found.rule.tag:
        blame(found, found.rule.tag)


@check(points=1, concept="side effects", hints=("Print x before and after the call.",))
def check_leaves_the_input_alone(student: Student, draw: Draw) -> None:
    """The caller's tensor is the same after the call as before."""
    x = draw.input(4, 3)
    for shortcut in (True, False):
        net = student.ExampleDeepNeuralNetwork(list(DEMO), shortcut)
        for mode in (net.train, net.eval):
            for after in mode().call(x).after:
                if not same(after, x):
                    fail("Your network changes the tensor that it was given.",
                         expected="The input, untouched after the call.", tag="inplace-input")  # fmt: skip


# Layers ---------------------------------------------------------------------------------------------------------------


@check(
    points=3,
    concept="layers",
    hints=("List `[(n, tuple(p.shape)) for n, p in model.named_parameters()]` for six sizes that all differ.",),
)
def check_has_a_layer_for_each_pair_of_sizes(student: Student, draw: Draw) -> None:
    """There is one Linear layer with bias for each pair of neighbouring sizes, each with parameters of its own."""
    x = draw.input(4, EQUAL[0])
    for shortcut in (False, True):
        net = made(student, EQUAL, shortcut)
        expect_registered(net, net.call(x), net.call(x))
    expect_all_layers(student, draw)
    for shortcut in (False, True):
        _expect_layout(student, draw, layout(student, shortcut))
    one, two = made(student, EQUAL, True), made(student, EQUAL, True)
    parameters(one, EQUAL[0])
    before = parameters(two, EQUAL[0])
    draw.parameters(one)
    after = two.parameters()
    if any(gap(after.get(name), value) > 0 for name, value in before.items()):
        fail("Two networks share their layers: changing one changed the other.",
             expected="New layers for each network, made in `__init__`.", tag="shared-layer")  # fmt: skip


def expect_all_layers(student: Student, draw: Draw) -> None:
    """Five weights also where all sizes are equal; fewer are either too few layers, or one that stands for several."""
    net = made(student, EQUAL, False)
    parameters(net, EQUAL[0])
    made_up = draw.parameters(net)
    weights = [value for value in made_up.values() if value.dim() == 2 and value.shape == (4, 4)]
    if len(weights) >= COUNT:
        return
    x = draw.input(6, 4)
    output = net(x)
    biases = [value.flatten() for value in made_up.values() if value.numel() == 4]
    expected = f"{COUNT} layers for {COUNT + 1} sizes, each with parameters of its own."
    if _is_repeated(weights, biases, x, output):
        fail(f"Your network uses one layer several times: {COUNT} layers share {len(weights)} weights.",
             expected=expected, tag="shared-layer")  # fmt: skip
    fail(f"For six sizes your network has {len(weights)} layers." if weights else "`parameters()` lists no weights.",
         expected=expected, tag="wrong-size")  # fmt: skip


def _is_repeated(
    weights: list[torch.Tensor], biases: list[torch.Tensor], x: torch.Tensor, output: torch.Tensor
) -> bool:
    """Whether five layers made of these fewer weights give the output (with any of the known activations)."""
    padded = biases if len(biases) == len(weights) else [torch.zeros(4)] * len(weights)
    for order in itertools.product(range(len(weights)), repeat=COUNT):
        if list(dict.fromkeys(order)) != list(range(len(weights))):
            continue
        seen = Seen(EQUAL, False, x, output, [(weights[k], padded[k]) for k in order])
        shortcuts = (
            Rule("", layer(f), flag=lambda flag, on=on: on) for f in ACTIVATION.values() for on in (False, True)
        )
        if find(iter([*shortcuts, Rule("", layer(_same))]), [seen]) is not None:
            return True
    return False


def _expect_layout(student: Student, draw: Draw, found: Layout) -> None:
    expected = "One Linear layer with bias for each pair of neighbours in layer_sizes, and nothing else."
    matrices = [shape for shape in found.others if len(shape) == 2]
    if len(found.weights) < COUNT:
        missing = COUNT - len(found.weights)
        fail(f"{missing} of {COUNT} weights do not have the sizes that layer_sizes asks for.", expected=expected,
             tag="wrong-size")  # fmt: skip
    if len(found.biases) < COUNT:
        fail(f"{COUNT - len(found.biases)} of {COUNT} layers have no bias.", expected=expected, tag="missing-bias")
    if not found.others:
        return
    numbers = [math.prod(shape) for shape in found.others]
    words = f"Your network has {sum(numbers):,} trainable numbers more than its {COUNT} layers need"
    if matrices or max(numbers) > 1:
        fail(words + (": another layer." if matrices else "."), expected=expected, tag="extra-op")
    alone = found_layers(Onlooker(student, draw))
    tag = "wrong-scale" if alone is not None and alone.rule.branch_tag is None else "wrong-activation"
    fail(words + ".", expected=expected, tag=tag)


@check(points=1, concept="layers", hints=("Which of your lines could give another result the second time?",))
def check_is_the_same_in_training_and_evaluation(student: Student, draw: Draw) -> None:
    """The same input gives the same output, in training as in evaluation."""
    for shortcut in (True, False):
        net = made(student, EQUAL, shortcut)
        x = draw.input(50, EQUAL[0])
        first = net(x)
        if not bool(torch.isfinite(first).all()):
            fail("Your network returned NaN or infinity.", expected="Ordinary numbers.", tag="wrong-return")
        if not same(net(x), first):
            fail("In evaluation mode two calls with the same input gave different outputs.",
                 expected="The same output each time: nothing here is random.", tag="dropout-in-eval")  # fmt: skip
        net.train()
        if not same(net(x), first) or not same(net(x), first):
            fail("In training your network does something else than in evaluation, for example dropout.",
                 expected="Linear and GELU only, which do the same in both modes.", tag="extra-op")  # fmt: skip


@check(
    points=3,
    concept="activations",
    hints=("Write down the formula of one layer, from the inside out. Does it hold for the last layer, too?",),
)
def check_applies_gelu_after_each_linear(student: Student, draw: Draw) -> None:
    """Without shortcuts, every layer computes GELU(Linear(x)), the last one too."""
    look = Onlooker(student, draw)
    found, seen = found_layers(look), look.look(ALL_DIFFERENT, False)
    if seen.output is None:
        whole = found_network(look)
        if whole is None or whole.rule.tag is None:
            made(student, ALL_DIFFERENT, False)(seen.x)
        return
    if found is None or found.rule.branch_tag is not None:
        blame(found, found.rule.branch_tag if found else None)
    if found.near:
        student.remark("Your GELU differs from the lesson's a little, so numbers agree to about three digits.")
    elif found.rule.branch is not None and gap(run(Rule("", layer(ACTIVATION[LESSON])), seen), seen.output) > 1e-9:
        student.remark(
            "Your GELU is the exact one (nn.GELU()). The lesson's is an approximation by tanh; they differ by at most "
            "0.0005, so the lesson's numbers come out to three digits only."
        )


# Shortcuts ------------------------------------------------------------------------------------------------------------

FLAG = {"shortcut-flag-ignored", "shortcut-flag-inverted"}


@check(points=2, concept="the shortcut", hints=("Build both networks with the same weights: do they differ?",))
def check_takes_shortcuts_only_when_asked(student: Student, draw: Draw) -> None:
    """There are shortcuts if, and only if, use_shortcut is true."""
    look = Onlooker(student, draw)
    if is_usual(look, ((EQUAL, False), (EQUAL, True), (MIXED[0], True))):
        return
    found = found_network(look)
    if found is not None and found.rule.tag in FLAG:
        blame(found, found.rule.tag)


@check(
    points=4,
    concept="the shortcut",
    hints=(
        "Go through sizes such as [3, 3, 1, 3, 3, 3] by hand: which layers get a shortcut, and what is added there?",
    ),
)
def check_adds_the_input_where_shapes_match(student: Student, draw: Draw) -> None:
    """With use_shortcut, each layer whose input and output have the same shape adds its input, and no other layer."""
    look = Onlooker(student, draw)
    if is_usual(look, [(sizes, True) for sizes in (EQUAL, *MIXED[:4], DEMO)]):
        return
    found = found_network(look)
    if found is None:
        blame(None, None)
    elif found.rule.tag is not None and found.rule.tag not in FLAG:
        blame(found, found.rule.tag)


# Learning -------------------------------------------------------------------------------------------------------------


@check(
    points=2,
    concept="gradients",
    hints=("Does every path from x to the result consist of operations that autograd records?",),
)
def check_lets_the_gradient_through(student: Student, draw: Draw) -> None:
    """With the same weights, gradients are those of the formula, with shortcuts on and off."""
    look = Onlooker(student, draw)
    usual = found_layers(look)
    found = usual if usual is not None and usual.rule.branch_tag is None else found_network(look)
    for sizes, shortcut in ((EQUAL, False), (EQUAL, True), ((4, 4, 4, 3, 3, 3), True)):
        if not _has_gradients_of(look, found, sizes, shortcut):
            found = found_network(look)
            _has_gradients_of(look, found, sizes, shortcut)


def _has_gradients_of(look: Onlooker, found: Chain | None, sizes: Sequence[int], shortcut: bool) -> bool:
    """Fails where the output is right and the gradient wrong; False where the output is another one."""
    net, values = look.build(sizes, shortcut)
    seen, which = look.look_at(net, values, sizes, shortcut)
    x, cotangent = seen.x, look.draw.normal(7, sizes[-1])
    if found is None or seen.output is None or seen.output.shape != cotangent.shape:
        fail(
            "Your network computes another formula, so its gradients are others, too.",
            expected="The gradients of the formula.",
        )
    given = net.gradient(x, cotangent)
    leaf = x.clone().requires_grad_()
    tracked = [(weight.clone().requires_grad_(), bias.clone().requires_grad_()) for weight, bias in seen.layers]
    wanted = run(found.rule, Seen(tuple(sizes), shortcut, leaf, None, tracked))
    if wanted is None or not gap(given.output, wanted) <= 1e-3:
        return False
    (wanted * cotangent).sum().backward()
    shapes = [value if value is not None else torch.zeros(0) for value in given.parameters.values()]
    mine = which.layers(shapes, sizes)
    bound = 1e-2 if found.near else 1e-9
    pairs = [(given.input, leaf.grad)]
    if mine is not None:
        kinds = 2 if which.biases else 1
        for got, want in zip(mine, tracked, strict=True):
            pairs += [(got[kind], want[kind].grad) for kind in range(kinds)]
    if mine is None or any(want is not None and not gap(got, want) <= bound for got, want in pairs):
        fail("The output is right, but on the way back a part of the gradient is lost.",
             expected="Gradients through each layer and through each shortcut.", tag="broken-gradient")  # fmt: skip
    return True


@check(
    points=0.5, concept="initial weights", hints=("Which lines of yours change a weight after nn.Linear has made it?",)
)
def check_keeps_the_initial_weights(student: Student) -> None:
    """Weights and biases start as nn.Linear draws them (false alarm below 1e-9)."""
    sizes, found = [40] * (COUNT + 1), layout(student, True)
    bound = 1 / math.sqrt(40)
    weights, biases = [], []
    for _ in range(3):
        values = list(parameters(made(student, sizes, True), 40).values())
        layers = next((one.layers(values, sizes) for one in found.variants(values, sizes)), None)
        if layers is None:
            fail("Your network does not have a weight and a bias for each layer, so this cannot be tested.",
                 expected="Layers made by nn.Linear.")  # fmt: skip
        weights += [weight.flatten() / bound for weight, _ in layers]
        biases += [bias / bound for _, bias in layers if found.biases]
    for name, values in (("weights", torch.cat(weights)), ("biases", torch.cat(biases) if biases else None)):
        if values is None:
            continue
        chance = math.sqrt(math.log(2 / FALSE_ALARM) / (2 * values.numel()))
        sizes_off = not abs(values.abs().mean().item() - 0.5) <= chance
        if not values.abs().max().item() <= 1 + 1e-6 or sizes_off or not abs(values.mean().item()) <= 2 * chance:
            words = f"The {name} of your network are all zero at the start." if not values.any() else (
                f"The {name} of your network do not start as nn.Linear draws them.")  # fmt: skip
            fail(words, expected="The initial values of nn.Linear, left as they are.", tag="wrong-init")


@check(points=0.5, concept="side effects")
def check_leaves_global_settings_alone(student: Student) -> None:
    """Building and calling the network leaves the random seed, the default number type and the gradient mode alone."""
    for dtype, shortcut in (("float64", True), ("float32", False), ("float32", True)):
        student.begin(1234, dtype)
        net = student.ExampleDeepNeuralNetwork(list(DEMO), shortcut)
        expect_state(student, seed=1234, dtype=dtype)
        for mode in (net.train, net.eval):
            mode().call(torch.ones(2, 3, dtype=getattr(torch, dtype)))
            expect_state(student, seed=1234, dtype=dtype)


@check(
    points=1,
    concept="gradients",
    visible=True,
    hints=("Compare your two rows with the reference's: from which layer on do they differ?",),
)
def check_keeps_the_first_layers_gradient_alive(student: Student, reference: ModuleType) -> None:
    """The lesson's example: with shortcuts, the gradient of the first layer is hundreds of times larger."""
    student.show(
        inputs=[["layer_sizes", str(list(DEMO))], ["x", "[[1.0, 0.0, -1.0]]"], ["target", "[[0.0]]"], ["seed", "123"]]
    )
    layouts = {shortcut: layout(student, shortcut) for shortcut in (True, False)}
    drawn = {shortcut: _lesson_layers(reference, shortcut) for shortcut in (True, False)}
    lesson = {shortcut: _mean_gradients(drawn[shortcut], shortcut) for shortcut in (True, False)}
    layers, mine = {}, {}
    for shortcut in (True, False):
        layers[shortcut], mine[shortcut] = _first_backward(student, layouts[shortcut], shortcut)
    _show_gradients(student, mine, lesson)
    for shortcut, words in ((True, "With"), (False, "Without")):
        wanted = [_mean_gradients(layers[shortcut], shortcut, rule) for rule in USUAL]
        if not any(_close(mine[shortcut], one) for one in wanted):
            index = next(n for n in range(COUNT) if not _close(mine[shortcut][n : n + 1], wanted[0][n : n + 1]))
            fail(f"{words} shortcuts, layer {index + 1} gets a gradient of {mine[shortcut][index]:.3g} on average; "
                 f"with these weights it should be {wanted[0][index]:.3g}.",
                 expected="The gradients of the formula, for the same weights.")  # fmt: skip
    if any(gap(w, v) > 1e-6 for (w, _), (v, _) in zip(layers[True], drawn[True], strict=True)):
        student.remark(
            "With seed 123 your network draws other weights than the lesson's, for example because it makes its layers "
            "in another order. So the lesson's numbers do not come out, which costs no points."
        )


def _close(found: list[float], wanted: list[float]) -> bool:
    return all(abs(got - want) <= 1e-2 * want + 1e-9 for got, want in zip(found, wanted, strict=True))


def _lesson_layers(reference: ModuleType, shortcut: bool) -> list[tuple[torch.Tensor, torch.Tensor]]:
    torch.set_default_dtype(torch.float32)
    try:
        torch.manual_seed(123)
        net = reference.ExampleDeepNeuralNetwork(list(DEMO), shortcut)
    finally:
        torch.set_default_dtype(torch.float64)
    values = [value.detach() for value in net.parameters()]
    return list(zip(values[::2], values[1::2], strict=True))


def _mean_gradients(
    layers: list[tuple[torch.Tensor, torch.Tensor]], shortcut: bool, rule: Rule = USUAL[0]
) -> list[float]:
    """What the formula gives with these weights: the mean absolute gradient of each layer's weight."""
    tracked = [(weight.double().clone().requires_grad_(), bias.double()) for weight, bias in layers]
    x = torch.tensor([[1.0, 0.0, -1.0]])
    _output(rule, tracked, x, shortcut).square().mean().backward()
    return [float(weight.grad.abs().mean()) for weight, _ in tracked if weight.grad is not None]


def _first_backward(
    student: Student, known: Layout, shortcut: bool
) -> tuple[list[tuple[torch.Tensor, torch.Tensor]], list[float]]:
    """The weights that a seeded network starts with, and its mean absolute gradients, all in float32."""
    student.begin(123, "float32")
    net = student.ExampleDeepNeuralNetwork(list(DEMO), shortcut)
    x = torch.tensor([[1.0, 0.0, -1.0]], dtype=torch.float32)
    output, values = net(x), list(net.parameters().values())
    first = next(known.variants(values, DEMO), None)
    if first is None or tuple(output.shape) != (1, 1):
        fail("Your network does not have the layers or the output shape of the task, so gradients cannot be compared.",
             expected="Five layers, and one number for one row.")  # fmt: skip
    gradient = net.gradient(x, 2 * output.detach()).parameters.values()

    def distance(one: Layout) -> float:
        return gap(output, _output(USUAL[0], one.layers(values, DEMO) or [], x, shortcut))

    which = first
    if distance(first) > 5e-3:
        which = next((one for one in known.variants(values, DEMO) if distance(one) <= 1e-5), first)
    layers, found = (
        which.layers(values, DEMO),
        which.layers([torch.zeros(0) if v is None else v for v in gradient], DEMO),
    )
    if found is None or layers is None:
        fail("Some weights get no gradient at all.", expected="A gradient for each weight.", tag="broken-gradient")
    return layers, [float(weight.abs().mean()) for weight, _ in found]


def _output(
    rule: Rule, layers: list[tuple[torch.Tensor, torch.Tensor]], x: torch.Tensor, shortcut: bool
) -> torch.Tensor:
    output = run(rule, Seen(DEMO, shortcut, x, None, layers))
    assert output is not None
    return output


def _show_gradients(student: Student, mine: dict[bool, list[float]], lesson: dict[bool, list[float]]) -> None:
    caption, names = "Mean absolute gradient of each layer's weight", [f"layer {n + 1}" for n in range(COUNT)]
    series = [
        {"name": f"{who}, {'with' if on else 'without'} shortcuts", "values": values[on]}
        for who, values in (("yours", mine), ("reference", lesson))
        for on in (True, False)
    ]
    ratio = [f"{(v[True][0] / v[False][0] if v[False][0] else math.inf):,.0f}" for v in (mine, lesson)]
    rows = [[name, *(f"{one['values'][n]:.3g}" for one in series)] for n, name in enumerate(names)]  # type: ignore[index]
    rows.append(["layer 1, with : without", ratio[0], "", ratio[1], ""])
    columns = ["", *(str(one["name"]) for one in series)]
    student.show(
        gradients={"caption": caption, "layers": names, "series": series},
        table={"caption": caption, "columns": columns, "rows": rows},
    )
