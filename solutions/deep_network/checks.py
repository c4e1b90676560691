"""Hidden checks of ExampleDeepNeuralNetwork: `x = x + GELU(Linear(x))`, five times."""

import itertools
import math
from collections.abc import Callable, Sequence
from types import ModuleType

import torch

from grader.checks import (
    Draw,
    Formula,
    Remote,
    Student,
    StudentRaised,
    check,
    described,
    expect_input_kept,
    expect_registered,
    expect_state,
    fail,
    gap,
    same,
    works,
)
from grader.checks.chains import (
    ALL_DIFFERENT,
    DEMO,
    EQUAL,
    MIXED,
    USUAL,
    Build,
    Onlooker,
    found_layers,
    found_network,
    is_usual,
    layout,
    parameters,
)
from grader.checks.dropout import deviation
from grader.checks.join_rules import FORMULA
from grader.checks.layer_rules import COUNT, unchanged
from grader.checks.layers import ACTIVATION, LESSON, Chain, Layout, Rule, Seen, find, layer, run


def builder(student: Student) -> Build:
    """Builds the student's network in evaluation mode."""
    return lambda sizes, shortcut: student.ExampleDeepNeuralNetwork(list(sizes), shortcut).eval()


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
    if value.dim() == 2 and listed and (found := found_network(Onlooker(builder(student), draw))) and found.rule.tag:
        blame(found, found.rule.tag)


@check(points=1, concept="side effects", hints=("Print x before and after the call.",))
def check_leaves_the_input_alone(student: Student, draw: Draw) -> None:
    """The caller's tensor is the same after the call as before."""
    for shortcut in (True, False):
        expect_input_kept(student.ExampleDeepNeuralNetwork(list(DEMO), shortcut), draw.input(4, 3), what="network")


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
        net = builder(student)(EQUAL, shortcut)
        expect_registered(net, net.call(x), net.call(x))
    expect_all_layers(student, draw)
    for shortcut in (False, True):
        _expect_layout(builder(student), draw, layout(builder(student), shortcut))
    one, two = builder(student)(EQUAL, True), builder(student)(EQUAL, True)
    parameters(one, EQUAL[0])
    before = parameters(two, EQUAL[0])
    draw.parameters(one)
    after = two.parameters()
    if any(gap(after.get(name), value) > 0 for name, value in before.items()):
        fail("Two networks share their layers: changing one changed the other.",
             expected="New layers for each network, made in `__init__`.", tag="shared-layer")  # fmt: skip


def expect_all_layers(student: Student, draw: Draw) -> None:
    """Five weights also where all sizes are equal; fewer are either too few layers, or one that stands for several."""
    net = builder(student)(EQUAL, False)
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
        if find(iter([*shortcuts, Rule("", layer(unchanged))]), [seen]) is not None:
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
    alone = found_layers(Onlooker(builder(student), draw))
    tag = "wrong-scale" if alone is not None and alone.rule.branch_tag is None else "wrong-activation"
    fail(words + ".", expected=expected, tag=tag)


@check(points=1, concept="layers", hints=("Which of your lines could give another result the second time?",))
def check_is_the_same_in_training_and_evaluation(student: Student, draw: Draw) -> None:
    """The same input gives the same output, in training as in evaluation."""
    for shortcut in (True, False):
        net = builder(student)(EQUAL, shortcut)
        x = draw.input(50, EQUAL[0])
        first = net(x)
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
    look = Onlooker(builder(student), draw)
    found, seen = found_layers(look), look.look(ALL_DIFFERENT, False)
    if seen.output is None:
        whole = found_network(look)
        if whole is None or whole.rule.tag is None:
            builder(student)(ALL_DIFFERENT, False)(seen.x)
        return
    if found is None or found.rule.branch_tag is not None:
        blame(found, found.rule.branch_tag if found else None)
    if found.near:
        student.remark("Your GELU differs from the lesson's a little, so numbers agree to about three digits.")
    elif gap(run(Rule("", layer(ACTIVATION[LESSON])), seen), seen.output) > 1e-9:
        student.remark(
            "Your GELU is the exact one (nn.GELU()). The lesson's is an approximation by tanh; they differ by at most "
            "0.0005, so the lesson's numbers come out to three digits only."
        )


# Shortcuts ------------------------------------------------------------------------------------------------------------

FLAG = {"shortcut-flag-ignored", "shortcut-flag-inverted"}


@check(points=2, concept="the shortcut", hints=("Build both networks with the same weights: do they differ?",))
def check_takes_shortcuts_only_when_asked(student: Student, draw: Draw) -> None:
    """There are shortcuts if, and only if, use_shortcut is true."""
    look = Onlooker(builder(student), draw)
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
    look = Onlooker(builder(student), draw)
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
    look = Onlooker(builder(student), draw)
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
    sizes, found = [40] * (COUNT + 1), layout(builder(student), True)
    bound = 1 / math.sqrt(40)
    weights, biases = [], []
    for _ in range(3):
        values = list(parameters(builder(student)(sizes, True), 40).values())
        layers = next((one.layers(values, sizes) for one in found.variants(values, sizes)), None)
        if layers is None:
            fail("Your network does not have a weight and a bias for each layer, so this cannot be tested.",
                 expected="Layers made by nn.Linear.")  # fmt: skip
        weights += [weight.flatten() / bound for weight, _ in layers]
        biases += [bias / bound for _, bias in layers if found.biases]
    for name, values in (("weights", torch.cat(weights)), ("biases", torch.cat(biases) if biases else None)):
        if values is None:
            continue
        chance = deviation(values.numel())
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
    layouts = {shortcut: layout(builder(student), shortcut) for shortcut in (True, False)}
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
    output, values = net(x), [value.to(x.dtype) for value in net.parameters().values()]
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
    return layers, [float(weight.double().abs().mean()) for weight, _ in found]


def _output(
    rule: Rule, layers: list[tuple[torch.Tensor, torch.Tensor]], x: torch.Tensor, shortcut: bool
) -> torch.Tensor:
    output = run(rule, Seen(DEMO, shortcut, x, None, layers))
    assert output is not None
    return output


def _show_gradients(student: Student, mine: dict[bool, list[float]], lesson: dict[bool, list[float]]) -> None:
    caption, names = "Mean absolute gradient of each layer's weight", [f"layer {n + 1}" for n in range(COUNT)]
    series = [
        {
            "name": f"{who}, {'with' if on else 'without'} shortcuts",
            "values": [float(f"{value:.4g}") for value in values[on]],
        }
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
