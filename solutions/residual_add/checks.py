"""Hidden checks of ResidualAdd: `x + Dropout(F(Norm(x)))`."""

from dataclasses import replace

import torch

from grader.checks import (
    Draw,
    Dropped,
    Identified,
    Probe,
    Student,
    StudentRaised,
    as_norm,
    check,
    described,
    expect,
    expect_dropout,
    expect_input_kept,
    expect_quiet,
    expect_registered,
    expect_state,
    fail,
    find_dropout,
    gap,
    identify,
    same,
    works,
)

FORMULA = "x + F(Norm(x))"
RAW = {"skip-after-norm"}
NORM = {
    "post-norm",
    "norm-on-output",
    "missing-norm",
    "double-norm",
    "wrong-norm",
    "norm-wrong-axis",
    "norm-wrong-stat",
}


def identified(student: Student, draw: Draw) -> Identified:
    """The formula of a block in evaluation mode, all parameters random."""
    probe = Probe(draw.map(8))
    block = student.ResidualAdd(8, probe, 0.0).eval()
    draw.parameters(block)
    found = identify(block, draw.input(4, 6, 8), probe)
    return replace(found, tag="sublayer-twice") if len(probe.calls) > 1 and found.text == FORMULA else found


# Loading and calling -------------------------------------------------------------------------------------------------


@check(
    points=0.5,
    concept="the interface",
    visible=True,
    hints=("Compare your `def` lines with the stub's, name by name.",),
)
def check_takes_the_arguments(student: Student) -> None:
    """ResidualAdd(dim, sublayer, dropout) can be built, and called with one tensor."""
    x = torch.linspace(-1, 1, 80).reshape(2, 5, 8)
    student.show(
        inputs=[["block", "ResidualAdd(8, nn.Linear(8, 8), 0.1)"], ["x", "torch.linspace(-1, 1, 80).reshape(2, 5, 8)"]]
    )
    linear = student.build("torch.nn.Linear", 8, 8)
    try:
        student.ResidualAdd(8, linear, 0.1).call(x)
    except StudentRaised as error:
        if works(lambda: student.ResidualAdd(dim=8, sublayer=linear, dropout=0.1).call(x)):
            fail(
                "Your ResidualAdd takes its arguments in another order.",
                expected="ResidualAdd(dim, sublayer, dropout=0.1)",
                tag="wrong-signature",
            )
        raise error


@check(points=1, concept="shapes", visible=True, hints=("What shape does each line of forward have?",))
def check_keeps_the_shape(student: Student) -> None:
    """The output has the shape and the number type of the input."""
    block = student.ResidualAdd(8, student.build("torch.nn.Linear", 8, 8), 0.1)
    rows: list[list[str]] = []
    for shape in ((2, 5, 8), (1, 1, 8), (3, 1, 8), (1, 4, 8), (6, 8), (2, 2, 3, 8)):
        output = block.call(torch.linspace(-1, 1, torch.Size(shape).numel()).reshape(shape)).value
        rows.append([str(shape), described(output)])
        student.show(table={"caption": "Shapes", "columns": ["input", "output"], "rows": list(rows)})
        if isinstance(output, torch.Tensor) and output.shape == (*shape[:-1], 16):
            fail(
                "Your block puts both paths side by side: the output is twice as wide.",
                expected="The sum of both paths.",
                tag="wrong-combine",
            )
        expect(output).to_have_shape(shape, given=f"an input of shape {shape}")
        if output.dtype != torch.float64:
            fail(
                "Your block turned a float64 input into another number type.",
                expected="The number type of the input.",
                tag="wrong-dtype-device",
            )


@check(points=0.5, concept="shapes")
def check_takes_any_memory_layout(student: Student, draw: Draw) -> None:
    """An input that is a transposed view gives the same numbers as its copy."""
    block = student.ResidualAdd(8, Probe(draw.map(8)), 0.0).eval()
    view = draw.input(3, 8, 5).transpose(1, 2)
    expect(block(view)).to_equal(
        block(view.contiguous()),
        happened="A transposed view of the input gave other numbers than a copy of it.",
        expected="The same numbers, however the input lies in memory.",
    )


@check(points=1, concept="side effects", hints=("Print x before and after the call.",))
def check_leaves_the_input_alone(student: Student, draw: Draw) -> None:
    """The caller's tensor is the same after the call as before."""
    expect_input_kept(student.ResidualAdd(8, Probe(draw.map(8)), 0.3), draw.input(2, 5, 8))


# The formula ---------------------------------------------------------------------------------------------------------


@check(points=3, concept="the shortcut", hints=("What should come out if the sublayer returns only zeros?",))
def check_adds_the_input_back(student: Student, draw: Draw) -> None:
    """The block adds its input to what the sublayer returns."""
    found = identified(student, draw)
    if found.tag == "sublayer-twice" and found.text == FORMULA:
        fail("Your block runs the sublayer more than once for one input.", expected="One call.", tag=found.tag)
    if found.tag not in RAW | NORM:
        expect(found).to_be(FORMULA)


@check(points=2, concept="the shortcut", hints=("Which value does your variable hold by the time you add it?",))
def check_adds_the_raw_input(student: Student, draw: Draw) -> None:
    """What is added is the input as it came in, not the normalised one."""
    found = identified(student, draw)
    if found.tag in RAW:
        expect(found).to_be(FORMULA)


@check(points=3, concept="pre-norm", hints=("Write down what the sublayer gets, and what happens to what it returns.",))
def check_normalises_before_the_sublayer(student: Student, draw: Draw) -> None:
    """The sublayer gets the layer norm of the input, and nothing else is normalised."""
    found = identified(student, draw)
    if found.tag in NORM or found.text is None:
        expect(found).to_be(FORMULA)
    for dim, shape in ((5, (7, 5)), (16, (2, 3, 16)), (3, (2, 1, 4, 3))):
        probe = Probe(draw.map(dim))
        student.ResidualAdd(dim, probe, 0.3).eval()(draw.input(*shape))
        if probe.calls and tuple(probe.calls[0].input.shape) != shape:
            fail(
                f"For dim={dim} the sublayer got the shape {tuple(probe.calls[0].input.shape)}.",
                expected=f"The shape of the input, {shape}.",
                tag="wrong-size",
            )
    _expect_a_layer_norm(student, draw)


def _expect_a_layer_norm(student: Student, draw: Draw) -> None:
    probe, x = Probe(draw.map(8)), draw.input(4, 6, 8)
    student.ResidualAdd(8, probe, 0.3).eval()(x)
    if not probe.calls:
        fail("The sublayer is never called.", expected="The sublayer, called once on Norm(x).", tag="sublayer-unused")
    found = as_norm(probe.calls[0].input, x)
    if found is not None and found.kind == "layer" and found.eps not in (1e-5, 0.0):
        student.remark(f"Your norm uses eps={found.eps:g}; nn.LayerNorm uses 1e-5. That makes no difference here.")
    flat = Probe(draw.map(8))
    output = student.ResidualAdd(8, flat, 0.3).eval()(torch.ones(2, 3, 8))
    if not bool(torch.isfinite(output).all()):
        fail(
            "Your block returns NaN when all features of a token are equal.",
            expected="A norm with a small eps under the root, as nn.LayerNorm has.",
            tag="norm-wrong-stat",
        )


@check(points=1, concept="pre-norm", hints=("Which names does `block.parameters()` list for the norm?",))
def check_has_a_norm_of_its_own(student: Student, draw: Draw) -> None:
    """Each block has its own norm with a trainable scale and shift."""
    probe, other, x = Probe(draw.map(8)), Probe(draw.map(8)), draw.input(4, 6, 8)
    block, neighbour = student.ResidualAdd(8, probe, 0.3).eval(), student.ResidualAdd(8, other, 0.3).eval()
    reply = block.call(x)
    expect_registered(block, reply, block.call(x))
    vectors = [name for name, value in block.parameters().items() if value.shape == (8,)]
    if not vectors:
        fail(
            "Your block has no trainable scale and shift of its own.",
            expected="nn.LayerNorm(dim) with its parameters.",
            tag="wrong-norm",
        )
    neighbour(x)
    draw.parameters(block)
    neighbour(x)
    if other.calls and gap(other.calls[-1].input, other.calls[0].input) > 0:
        fail(
            "Two blocks share one norm: changing one changed the other.",
            expected="A norm for each block, made in `__init__`.",
            tag="shared-norm",
        )


# Learning -------------------------------------------------------------------------------------------------------------


@check(
    points=1, concept="parameters", hints=("Count `sum(p.numel() for p in block.parameters())` for a known sublayer.",)
)
def check_registers_the_sublayer(student: Student, draw: Draw) -> None:
    """`parameters()` lists the sublayer's parameters, so that an optimiser can train them."""
    block = student.ResidualAdd(8, student.build("torch.nn.Linear", 8, 8), 0.1)
    x = draw.input(2, 5, 8)
    expect_registered(block, block.call(x), block.call(x))


@check(
    points=2,
    concept="gradients",
    hints=("Does every path from x to the result consist of operations autograd records?",),
)
def check_lets_the_gradient_through(student: Student, draw: Draw) -> None:
    """The gradient flows through the shortcut with derivative exactly 1, and through the branch."""
    x, cotangent = draw.input(4, 6, 8), draw.normal(4, 6, 8)
    flat = student.ResidualAdd(8, Probe(lambda h: 3.0 + 0.0 * h), 0.0).eval()
    flat.call(x)
    expect_state(student)
    gradient = flat.gradient(x, cotangent).input
    if not same(gradient, cotangent):
        fail(
            "With a sublayer that ignores its input, the gradient does not arrive unchanged.",
            expected="The shortcut passes the gradient on with factor 1.",
            tag="broken-gradient",
        )
    _expect_branch_gradient(student, draw, x, cotangent)


def _expect_branch_gradient(student: Student, draw: Draw, x: torch.Tensor, cotangent: torch.Tensor) -> None:
    probe = Probe(draw.map(8))
    block = student.ResidualAdd(8, probe, 0.0).eval()
    draw.parameters(block)
    found = block.gradient(x, cotangent)
    norm = as_norm(probe.calls[0].input, x) if probe.calls else None
    if norm is None:
        return  # another formula, which has its own check
    leaf = x.clone().requires_grad_()
    ((leaf + probe.function(norm.apply(leaf))) * cotangent).sum().backward()
    lost = [name for name, value in found.parameters.items() if value is None]
    if lost or found.input is None or leaf.grad is None or not same(found.input, leaf.grad):
        fail(
            "The output is right, but on the way back a part of the gradient is lost.",
            expected="Gradients through the norm, the sublayer and the shortcut.",
            tag="broken-gradient",
        )


# Dropout --------------------------------------------------------------------------------------------------------------


@check(points=2, concept="dropout", hints=("Let the sublayer return ones: which elements of the output changed?",))
def check_drops_from_the_branch_only(student: Student, draw: Draw) -> None:
    """In training, dropout acts on the sublayer's result only, with the given rate (false alarm below 1e-9)."""
    for rate in (0.2, 0.7):
        found, changed = _dropped(student, draw, rate)
        expect_dropout(found, rate, changed)
    found, changed = _dropped(student, draw)
    if found.place == "nowhere" and not changed:
        fail(
            "Without the argument `dropout`, your block drops nothing.",
            expected="A default rate of 0.1.",
            tag="wrong-signature",
        )
    expect_dropout(found, 0.1, changed)


def _dropped(student: Student, draw: Draw, *rate: float) -> tuple[Dropped, bool]:
    """What is dropped when the sublayer returns threes, and whether the sublayer gets something else in training."""
    probe = Probe(lambda h, **_: 3.0 + 0.0 * h)
    block = student.ResidualAdd(50, probe, *rate)
    found = find_dropout(block, draw.input(400, 50) + 20, 3.0)
    return found, len(probe.calls) > 1 and gap(probe.calls[0].input, probe.calls[-1].input) > 1e-6


@check(points=1, concept="dropout", hints=("What does `.eval()` change, and which of your lines can know about it?",))
def check_is_quiet_in_eval_mode(student: Student, draw: Draw) -> None:
    """In evaluation mode the same input gives the same output."""
    expect_quiet(student.ResidualAdd(8, Probe(draw.map(8)), 0.5), draw.input(4, 6, 8))


# The rest of the contract ---------------------------------------------------------------------------------------------


@check(points=1, concept="the interface", hints=("Where do the `**kwargs` of forward go?",))
def check_passes_keyword_arguments_on(student: Student, draw: Draw) -> None:
    """Keyword arguments of forward arrive at the sublayer."""
    probe, x = Probe(draw.map(8)), draw.input(4, 6, 8)
    block = student.ResidualAdd(8, probe, 0.3).eval()
    block(x, scale=3.0)
    if not probe.calls or probe.calls[0].kwargs != {"scale": 3.0} or probe.calls[0].positional != 1:
        fail(
            "The sublayer did not get the keyword argument that forward was called with.",
            expected="`self.sublayer(…, **kwargs)`: the same names and values.",
            tag="kwargs-dropped",
        )


@check(points=1, concept="shapes", hints=("What does `x + y` do when the shapes differ in one axis of size 1?",))
def check_refuses_shapes_that_do_not_match(student: Student, draw: Draw) -> None:
    """A sublayer that returns another width raises an error instead of being cut or stretched to fit."""
    student.ResidualAdd(8, Probe(draw.map(8)), 0.1).eval().call(draw.input(2, 5, 8))  # an error here is no refusal
    for width in (6, 16):
        probe = Probe(lambda h, width=width: h.new_zeros(*h.shape[:-1], width))
        if works(lambda probe=probe: student.ResidualAdd(8, probe, 0.1).eval().call(draw.input(2, 5, 8))):
            fail(
                f"The sublayer returned {width} features for 8, and your block went on.",
                expected="An error: the two shapes cannot be added.",
                tag="silent-broadcast",
            )


@check(points=1, concept="side effects")
def check_leaves_global_settings_alone(student: Student, draw: Draw) -> None:
    """Building and calling the block leaves the random seed, the default number type and the gradient mode alone."""
    for dtype in ("float64", "float32"):
        student.begin(1234, dtype)
        block = student.ResidualAdd(8, Probe(draw.map(8)), 0.3)
        for mode in (block.train, block.eval):
            mode().call(draw.input(2, 5, 8).to(getattr(torch, dtype)))
            expect_state(student, seed=1234, dtype=dtype)
