"""Hidden checks of ExampleDeepNeuralNetwork: `x = x + GELU(Linear(x))`, five times."""

import math
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import NoReturn

import torch

from grader.checks import (
    Draw,
    Formula,
    Remote,
    Row,
    Student,
    StudentRaised,
    check,
    described,
    expect_input_kept,
    expect_registered,
    expect_state,
    fail,
    gap,
    replay,
    same,
    works,
)
from grader.checks.chain.activations import ACTIVATION, LESSON
from grader.checks.chain.complete import expect_all_layers, expect_layout, explain_shape, first_values
from grader.checks.chain.dropout import dropout_formula
from grader.checks.chain.gradients import NEARLY, SAME, lost_path, same_gradients, trial
from grader.checks.chain.layers import FORMULA, Chain, Rule, layer, run
from grader.checks.chain.lesson_numbers import (
    first_backward,
    lesson_gradients,
    lesson_layers,
    places_of,
    show_gradients,
)
from grader.checks.chain.network import (
    DEMO,
    EQUAL,
    MIXED,
    ROWS,
    UNKNOWN,
    blame,
    blame_layers,
    found_network,
    found_usual,
    layers_like,
)
from grader.checks.chain.onlooker import ALL_DIFFERENT, SIZE, USUAL, Onlooker, parameters
from grader.checks.chain.reported import HELPER, expect_lesson_report, expect_report
from grader.checks.chain.rules import COUNT
from grader.checks.chain.steps import network_steps
from grader.checks.residual.dropout import deviation


def onlooker(student: Student, draw: Draw) -> Onlooker:
    """Builds the student's networks and looks at them."""
    return Onlooker(student, lambda sizes, shortcut: student.ExampleDeepNeuralNetwork(list(sizes), shortcut), draw)


# Building and calling -------------------------------------------------------------------------------------------------


@check(
    points=1,
    concept="the interface",
    visible=True,
    hints=(
        "Compare your `def` lines with the stub's, name by name.",
        "Run the example of the docstring: at which line does it stop?",
    ),
)
def check_takes_the_arguments(student: Student, draw: Draw) -> None:
    """ExampleDeepNeuralNetwork(layer_sizes, use_shortcut) can be built, and called with one tensor."""
    x = torch.tensor([[1.0, 0.0, -1.0]])
    student.show(inputs=[["model", f"ExampleDeepNeuralNetwork({list(DEMO)}, True)"], ["x", "[[1.0, 0.0, -1.0]]"]])
    build, sizes = student.ExampleDeepNeuralNetwork, list(DEMO)
    try:
        for shortcut in (False, True):
            build(sizes, shortcut).call(x)
    except StudentRaised as error:
        if "more than 1 value per channel" in error.frame.text:
            _explain_batch_norm(onlooker(student, draw))
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


def _explain_batch_norm(look: Onlooker) -> NoReturn:
    """A batch norm cannot train on one row, which the task asks for."""
    whole = found_network(look.keeping_others())
    wrong = whole is not None and (whole.rule.tag or whole.rule.branch_tag)
    formula = Formula(whole.rule.text, FORMULA, whole.residual) if whole is not None and wrong else None
    fail("Your network cannot train on an input of one row: it normalises over the batch.",
         expected="Linear and GELU only, which take any number of rows.", tag="extra-op", formula=formula)  # fmt: skip


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
            explain_shape(onlooker(student, draw), net, value)
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
    x, look = draw.input(4, EQUAL[0]), onlooker(student, draw)
    for shortcut in (False, True):
        net = look.new(EQUAL, shortcut).eval()
        expect_registered(net, net.call(x), net.call(x))
    expect_all_layers(look)
    for shortcut in (False, True):
        expect_layout(look, shortcut)
    two = look.new(EQUAL, True)
    before = parameters(two, EQUAL[0])
    draw.parameters(net)
    after = two.parameters()
    if any(gap(after.get(name), value) > 0 for name, value in before.items()):
        fail("Two networks share their layers: changing one changed the other.",
             expected="New layers for each network, made in `__init__`.", tag="shared-layer")  # fmt: skip
    more = [3, 4, 5, 6, 7, 8, 9]
    try:
        follows = student.ExampleDeepNeuralNetwork(more, False)(draw.input(2, more[0])).shape == (2, more[-1])
    except StudentRaised:
        follows = False
    if not follows:
        student.remark("Your network is made for six sizes, as in the task; with seven it does not use the last one.")


@check(points=1, concept="layers", hints=("Which of your lines could give another result the second time?",))
def check_is_the_same_in_training_and_evaluation(student: Student, draw: Draw) -> None:
    """The same input gives the same output, in training as in evaluation."""
    for shortcut in (True, False):
        net = onlooker(student, draw).new(EQUAL, shortcut).eval()
        x = draw.input(50, EQUAL[0])
        before, first = parameters(net, EQUAL[0]), net(x)
        if any(not same(value, before[name]) for name, value in net.parameters().items() if name in before):
            fail("Your forward changes the weights each time it is called.",
                 expected="Weights drawn once, in `__init__`, which only training changes.",
                 tag="wrong-init")  # fmt: skip
        if not same(net(x), first):
            fail("In evaluation mode two calls with the same input gave different outputs.",
                 expected="The same output each time: nothing here is random.", tag="dropout-in-eval")  # fmt: skip
        net.train()
        if not same(net(x), first) or not same(net(x), first):
            _explain_training(student, draw)


def _explain_training(student: Student, draw: Draw) -> NoReturn:
    """Something that only happens in training is dropout, as a rule; the numbers say where it sits."""
    look = onlooker(student, draw)
    text = dropout_formula(look) if found_usual(look, [(EQUAL, False), (EQUAL, True)]) else None
    what = f"computes {text}" if text else "does something else than in evaluation, for example dropout"
    fail(f"In training your network {what}.", expected="Linear and GELU only, which do the same in both modes.",
         tag="extra-op", formula=Formula(text, FORMULA) if text else None)  # fmt: skip


@check(
    points=3,
    concept="activations",
    hints=("Write down the formula of one layer, from the inside out. Does it hold for the last layer, too?",),
)
def check_applies_gelu_after_each_linear(student: Student, draw: Draw) -> None:
    """Without shortcuts, every layer computes GELU(Linear(x)), the last one too."""
    look = onlooker(student, draw)
    layers, seen = layers_like(look), look.look(ALL_DIFFERENT, False, ROWS)
    found = layers[0] if layers else None
    if seen.output is None:
        whole = found_network(look)
        if whole is None or whole.rule.tag is None:
            onlooker(student, draw).new(ALL_DIFFERENT, False).eval()(seen.x)
        return
    if found is None:
        blame(None, None)
    elif found.rule.branch_tag is not None:
        blame_layers(found, found_network(look))
    elif found.near:
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
    look = onlooker(student, draw)
    if found_usual(look, ((EQUAL, False), (EQUAL, True), (MIXED[0], True))):
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
    look = onlooker(student, draw)
    usual = found_usual(look, [*((sizes, True) for sizes in (EQUAL, *MIXED)), (DEMO, False)])
    if usual is not None:
        student.computes(Formula(FORMULA, FORMULA, usual.residual))
        return
    found = found_network(look)
    if found is None:
        blame(None, None)
    elif found.rule.tag is not None and found.rule.tag not in FLAG:
        blame(found, found.rule.tag)


# Learning -------------------------------------------------------------------------------------------------------------


@check(
    points=3,
    concept="gradients",
    hints=("Does every path from x to the result consist of operations that autograd records?",),
)
def check_lets_the_gradient_through(student: Student, draw: Draw) -> None:
    """With the same weights, gradients are those of the formula, with shortcuts on and off."""
    look = onlooker(student, draw)
    layers = layers_like(look)
    found = layers[0] if layers and layers[0].rule.branch_tag is None else found_network(look)
    for sizes, shortcut in ((EQUAL, True), ((4, 4, 4, 3, 3, 3), True), (EQUAL, False)):
        if not _has_gradients_of(look, found, sizes, shortcut):
            found = found_network(look)
            _has_gradients_of(look, found, sizes, shortcut)


def _has_gradients_of(look: Onlooker, found: Chain | None, sizes: Sequence[int], shortcut: bool) -> bool:
    """Fails where the output is right and the gradient wrong; False where the output is another one."""
    one = trial(look, sizes, shortcut)
    unknown = found is None or UNKNOWN in found.rule.text
    if unknown or one.seen.output is None or one.seen.output.shape != one.cotangent.shape:
        fail(
            "Your network computes another formula, so its gradients are others, too.",
            expected="The gradients of the formula.",
            tag="unknown-formula",
        )
    true = one.true(found.rule)
    if true is None or not gap(one.seen.output, true[0]) <= 1e-3:
        return False
    told = one.told()
    if not same_gradients(told, true[1], NEARLY if found.near else SAME):
        text = lost_path(found.rule, one, told)
        formula = text or (found.rule.text if found.rule.tag is None and found.rule.branch_tag is None else None)
        words = f"Its gradients are those of {text}." if text else "A part of the gradient is lost."
        fail(f"The output is right, but not the way back. {words}",
             expected="Gradients through each layer and through each shortcut.", tag="broken-gradient",
             formula=Formula(text, FORMULA) if formula else None)  # fmt: skip
    return True


@check(
    points=0.5, concept="initial weights", hints=("Which lines of yours change a weight after nn.Linear has made it?",)
)
def check_keeps_the_initial_weights(student: Student, draw: Draw) -> None:
    """Weights and biases start as nn.Linear draws them (false alarm below 1e-9)."""
    weights, biases = first_values(onlooker(student, draw))
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
def check_keeps_the_first_layers_gradient_alive(student: Student, draw: Draw, reference: ModuleType) -> None:
    """The lesson's example: with shortcuts, the gradient of the first layer is hundreds of times larger."""
    student.show(
        inputs=[["layer_sizes", str(list(DEMO))], ["x", "[[1.0, 0.0, -1.0]]"], ["target", "[[0.0]]"], ["seed", "123"]]
    )
    known = places_of(onlooker(student, draw))
    drawn = {shortcut: lesson_layers(reference, shortcut) for shortcut in (True, False)}
    lesson = {shortcut: lesson_gradients(drawn[shortcut], shortcut) for shortcut in (True, False)}
    found = {shortcut: first_backward(student, known[shortcut], shortcut) for shortcut in (True, False)}
    show_gradients(student, {shortcut: one.gradients for shortcut, one in found.items()}, lesson)
    for shortcut, words in ((True, "With"), (False, "Without")):
        mine = found[shortcut].gradients
        if not any(_close(mine, found[shortcut].wanted(rule)) for rule in USUAL):
            wanted = found[shortcut].wanted(USUAL[0])
            index = next(n for n in range(COUNT) if not _close(mine[n : n + 1], wanted[n : n + 1]))
            fail(f"{words} shortcuts, layer {index + 1} gets a gradient of {mine[index]:.3g} on average; "
                 f"with these weights it should be {wanted[index]:.3g}.",
                 expected="The gradients of the formula, for the same weights.", tag="broken-gradient")  # fmt: skip
    if any(gap(w, v) > 1e-6 for (w, _), (v, _) in zip(found[True].layers, drawn[True], strict=True)):
        student.remark(
            "With seed 123 your network draws other weights than the lesson's, for example because it makes its layers "
            "in another order. So the lesson's numbers do not come out, which costs no points."
        )


def _close(found: list[float], wanted: list[float]) -> bool:
    return all(abs(got - want) <= 1e-2 * want + 1e-9 for got, want in zip(found, wanted, strict=True))


# print_gradients, a part ----------------------------------------------------------------------------------------------


@check(
    points=2,
    concept="gradients",
    part=HELPER,
    hints=("Which number should stand behind each weight? Work one out by hand and compare.",),
)
def check_reports_the_gradients(student: Student, draw: Draw) -> None:
    """`print_gradients(model, x)` prints the mean absolute gradient of each weight for the mean squared error."""
    look = onlooker(student, draw)
    for shortcut in (False, True):
        look.new(DEMO, shortcut).eval()(draw.input(1, DEMO[0]))
        expect_report(look, DEMO, shortcut)


@check(
    points=1,
    concept="gradients",
    visible=True,
    part=HELPER,
    hints=("Compare your lines with the numbers of the task, with shortcuts and without.",),
)
def check_prints_the_lessons_gradients(student: Student, draw: Draw) -> None:
    """With seed 123 it prints the lesson's numbers: 0.0002017 for the first layer, and 0.2217 with shortcuts."""
    student.show(inputs=[["layer_sizes", str(list(DEMO))], ["x", "[[1.0, 0.0, -1.0]]"], ["seed", "123"]])
    known = places_of(onlooker(student, draw))
    expect_lesson_report(student, {shortcut: first_backward(student, known[shortcut], shortcut) for shortcut in known})


# For the page ---------------------------------------------------------------------------------------------------------


def show_steps(student: Student, draw: Draw) -> tuple[Row, ...]:
    """The layers of a network with shortcuts, with random weights: 2 inputs of 3 numbers each.

    Weights are small ones: of large numbers GELU is the number itself.
    """
    look = onlooker(student, draw)
    net, values = look.build(DEMO, True, SIZE / 3)
    seen, _ = look.look_at(net, list(values.values()), DEMO, True, rows=2)
    return replay(net, network_steps(seen))
