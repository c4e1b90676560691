"""Hidden checks of HighwayLayer: `T·H(x) + (1 - T)·x`, with a gate that starts by carrying."""

import torch

from grader.checks import (
    Draw,
    Formula,
    Remote,
    Row,
    Step,
    Student,
    cannot_tell,
    check,
    described,
    expect,
    expect_input_kept,
    expect_quiet,
    expect_registered,
    expect_state,
    expect_true_gradient,
    fail,
    gap,
    replay,
    same,
)
from grader.checks.residual.gated import HIGHWAY, identify_gated
from grader.checks.residual.highway import SAME, TRIES, expect_own_maps, randomise, read, read_random

DIM = 3
STARTS = -0.99  # a bias up to which a gate starts by carrying


def new(student: Student, dim: int = DIM) -> Remote:
    """A new layer in evaluation mode."""
    layer: Remote = student.HighwayLayer(dim).eval()
    return layer


# Building and calling -------------------------------------------------------------------------------------------------


@check(points=1, concept="shapes", visible=True, hints=("What shape does each line of forward have?",))
def check_keeps_the_shape(student: Student) -> None:
    """HighwayLayer(dim) takes one tensor and returns one of the same shape and number type."""
    rows: list[list[str]] = []
    for dim, shape in ((8, (2, 5, 8)), (8, (3, 8)), (5, (1, 1, 5)), (1, (4, 1)), (3, (2, 2, 4, 3))):
        output = student.HighwayLayer(dim).call(torch.linspace(-1, 1, torch.Size(shape).numel()).reshape(shape)).value
        rows.append([f"HighwayLayer({dim})", str(shape), described(output)])
        student.show(table={"caption": "Shapes", "columns": ["layer", "input", "output"], "rows": list(rows)})
        expect(output).to_have_shape(shape, given=f"an input of shape {shape}")
        if output.dtype != torch.float64:
            fail("Your layer turned a float64 input into another number type.",
                 expected="The number type of the input.", tag="wrong-dtype-device")  # fmt: skip


@check(points=1, concept="side effects", hints=("Print x before and after the call.",))
def check_leaves_the_input_alone(student: Student, draw: Draw) -> None:
    """The caller's tensor is the same after the call as before."""
    expect_input_kept(new(student), draw.input(2, 5, DIM), what="layer")


@check(points=2, concept="parameters", hints=("List the names in `named_parameters()`: are there two weights?",))
def check_registers_its_parameters(student: Student, draw: Draw) -> None:
    """`parameters()` lists everything that the layer learns, and each layer has parameters of its own."""
    layer, other, x = new(student), new(student), draw.input(60, DIM)
    expect_registered(layer, layer.call(x), layer.call(x))
    expect_quiet(other, x)
    before = other(x)
    randomise(layer, draw)
    if not same(other(x), before):
        fail("Two layers share their parameters: changing one changed the other.",
             expected="New parameters for each layer, made in `__init__`.", tag="shared-layer")  # fmt: skip


# The formula ----------------------------------------------------------------------------------------------------------


@check(points=5, concept="the gate", hints=("What should come out where the gate is 0, and what where it is 1?",))
def check_mixes_the_input_with_the_transform(student: Student, draw: Draw) -> None:
    """The layer computes T·H(x) + (1 - T)·x, with H = ReLU(W_H x + b_H) and T = sigmoid(W_T x + b_T)."""
    layer, x = new(student), draw.input(60, DIM)
    expect_quiet(layer, x)
    found = read_random(layer, draw, DIM)
    named = identify_gated(layer, x)
    if found is None or found.transform is None:
        if named.tag is not None or named.text is None:
            expect(named).to_be(HIGHWAY + (", T = sigmoid(W·x + b)" if ", T = " in (named.text or "") else ""))
        if layer(x).dtype == torch.float64:  # else another check says so
            cannot_tell("What your layer computes could not be read from its numbers; your teacher can look.",
                        expected=HIGHWAY, staff_note="By its operations it is as asked for.")  # fmt: skip
        return
    expect_own_maps(layer, found, draw, named)
    student.computes(Formula(HIGHWAY, HIGHWAY))


@check(points=2, concept="the gate", hints=("Print `sigmoid` of the bias that a new gate has.",))
def check_starts_by_carrying(student: Student, draw: Draw) -> None:
    """In a new layer the bias of the gate is -2, so that it carries most of its input; the other weights are random."""
    found = None
    for _ in range(TRIES):
        layer = new(student)
        found = read(layer, draw, DIM) or found
        if found is not None and found.alive:
            break
    if found is None:
        if gap(layer(x := draw.input(40, DIM)), x) <= SAME:
            fail("The gates of a new layer are closed for good: it returns its input.", expected="A bias of -2.",
                 tag="gate-init")  # fmt: skip
        return  # another formula, which has its own check
    lowest, highest = float(found.gate.bias.min()), float(found.gate.bias.max())
    if highest > STARTS:
        named = identify_gated(layer, draw.input(60, DIM))
        if named.tag == "gate-inverted":
            expect(named).to_be(HIGHWAY)
        fail(f"For an input of zeros, a gate of your new layer is {torch.tensor(highest).sigmoid():.2f}.",
             expected="sigmoid(-2), which is 0.12: a new layer carries its input.", tag="gate-init",
             formula=Formula(HIGHWAY, HIGHWAY))  # fmt: skip
    if not found.alive:
        fail("In a new layer H is zero for every input, so it gets no gradient and never learns.",
             expected="Weights as torch draws them, except for the bias of the gate.", tag="wrong-init")  # fmt: skip
    if lowest < -2.01 or highest > -1.99:
        student.remark("The bias of your gate does not start at -2; it is negative, so that costs no points.")


# Learning -------------------------------------------------------------------------------------------------------------


@check(points=2, concept="gradients", hints=("Does every step from x to the result let autograd follow?",))
def check_lets_the_gradient_through(student: Student, draw: Draw) -> None:
    """Gradients flow through the gate, through H and along the carried input."""
    layer = new(student)
    randomise(layer, draw)
    expect_true_gradient(layer, draw.input(40, DIM), draw)


@check(points=1, concept="evaluation", hints=("Which of your lines could give another result the second time?",))
def check_is_the_same_in_training_and_evaluation(student: Student, draw: Draw) -> None:
    """The same input gives the same output, in training as in evaluation."""
    layer, x = new(student), draw.input(20, 6, DIM)
    expect_quiet(layer, x)
    if not same(layer(x), layer.train()(x)):
        fail("In training your layer does something else than in evaluation.",
             expected="The same in both modes: the formula has no dropout and no norm.", tag="extra-op")  # fmt: skip


@check(points=1, concept="side effects")
def check_leaves_global_settings_alone(student: Student, draw: Draw) -> None:
    """Building and calling the layer leaves the random seed, the default number type and the gradient mode alone."""
    for dtype in ("float64", "float32"):
        student.begin(1234, dtype)
        student.HighwayLayer(DIM).call(draw.input(2, 5, DIM).to(getattr(torch, dtype)))
        expect_state(student, seed=1234, dtype=dtype)


# For the page ---------------------------------------------------------------------------------------------------------


def show_steps(student: Student, draw: Draw) -> tuple[Row, ...]:
    """The steps of a new layer, where its numbers show what its gate and its transform are."""
    layer, x = new(student), draw.input(8, DIM)
    found = read(layer, draw, DIM)
    if found is None or found.transform is None or float(found.gate.bias.max()) > STARTS:
        return ()
    made, gate = (x @ part.weight + part.bias for part in (found.transform, found.gate))
    h, t = torch.relu(made), torch.sigmoid(gate)
    return replay(layer, [Step("x", x), Step("T", t), Step("H(x)", h), Step(HIGHWAY, t * h + (1 - t) * x)])
