"""Hidden checks of PostNormBlock: `Norm(x + Dropout(F(x)))`."""

import torch

from grader.checks import (
    Draw,
    Formula,
    Identified,
    Probe,
    Remote,
    Row,
    Step,
    Student,
    StudentRaised,
    as_norm,
    check,
    described,
    dropout_in_norm,
    expect,
    expect_input_kept,
    expect_quiet,
    expect_registered,
    expect_state,
    expect_true_gradient,
    fail,
    identify_post_norm,
    is_trained,
    lost_in_post_norm,
    replay,
    same,
    works,
)

FORMULA = "Norm(x + F(x))"
NORM = {"pre-norm", "norm-on-output", "missing-norm", "double-norm", "wrong-norm", "norm-wrong-axis", "norm-wrong-stat"}


def identified(student: Student, draw: Draw, shape: tuple[int, ...] = (4, 6, 8)) -> Identified:
    """The formula of a block, all parameters random: in evaluation mode, or in training if it is another one there."""
    return student.once(f"formula for {shape}", lambda: _identified(student, draw, shape))


def _identified(student: Student, draw: Draw, shape: tuple[int, ...]) -> Identified:
    probe = Probe(draw.map(8))
    block, before, x = student.PostNormBlock(8, probe, 0.0).eval(), draw.input(*shape), draw.input(*shape)
    draw.parameters(block)
    block(before)
    found = identify_post_norm(block, x, probe, {"x[first call]": before})
    output = block(x)
    trained = block.train()(x)
    random = not same(block(x), trained)  # in spite of a rate of 0, which has its own check
    return found if found.tag or random or same(trained, output) else identify_post_norm(block, x, probe)


def with_linear(student: Student) -> Remote:
    """A block around a linear layer of torch."""
    return student.PostNormBlock(8, student.build("torch.nn.Linear", 8, 8), 0.1)


@check(
    points=1,
    concept="the interface",
    visible=True,
    hints=("Compare your `def` lines with the stub's, name by name.",),
)
def check_takes_the_arguments(student: Student) -> None:
    """PostNormBlock(dim, sublayer, dropout=0.1) can be built, and called with one tensor."""
    x = torch.linspace(-1, 1, 80).reshape(2, 5, 8)
    student.show(inputs=[["block", "PostNormBlock(8, nn.Linear(8, 8), 0.1)"],
                         ["x", "torch.linspace(-1, 1, 80).reshape(2, 5, 8)"]])  # fmt: skip
    linear = student.build("torch.nn.Linear", 8, 8)
    try:
        student.PostNormBlock(8, linear, 0.1).call(x)
    except StudentRaised:
        if not works(lambda: student.PostNormBlock(dim=8, sublayer=linear, dropout=0.1).call(x)):
            raise
        fail("Your PostNormBlock takes its arguments in another order.",
             expected="PostNormBlock(dim, sublayer, dropout=0.1)", tag="wrong-signature")  # fmt: skip


@check(points=1, concept="shapes", visible=True, hints=("What shape does each line of forward have?",))
def check_keeps_the_shape(student: Student) -> None:
    """The output has the shape and the number type of the input."""
    block, rows = with_linear(student), list[list[str]]()
    for shape in ((2, 5, 8), (1, 1, 8), (3, 1, 8), (6, 8), (2, 2, 3, 8)):
        output = block.call(torch.linspace(-1, 1, torch.Size(shape).numel()).reshape(shape)).value
        rows.append([str(shape), described(output)])
        student.show(table={"caption": "Shapes", "columns": ["input", "output"], "rows": list(rows)})
        expect(output).to_have_shape(shape, given=f"an input of shape {shape}")
        if output.dtype != torch.float64:
            fail("Your block turned a float64 input into another number type.",
                 expected="The number type of the input.", tag="wrong-dtype-device")  # fmt: skip


@check(points=1, concept="side effects", hints=("Print x before and after the call.",))
def check_leaves_the_input_alone(student: Student, draw: Draw) -> None:
    """The caller's tensor is the same after the call as before."""
    expect_input_kept(student.PostNormBlock(8, Probe(draw.map(8)), 0.3), draw.input(2, 5, 8))


@check(
    points=3,
    concept="the shortcut",
    hints=(
        "If the sublayer returns only zeros, what is it that gets normalised?",
        "Build the block with one sublayer and then with another: does the output change?",
    ),
)
def check_adds_the_input_back(student: Student, draw: Draw) -> None:
    """The block adds its input to what the sublayer makes of it."""
    for shape in ((4, 6, 8), (30, 8), (2, 3, 5, 8)):
        found = identified(student, draw, shape)
        if found.tag == "sublayer-twice" and found.text == FORMULA:
            fail("Your block runs the sublayer more than once for one input.", expected="One call.", tag=found.tag)
        if found.tag not in NORM:
            expect(found).to_be(FORMULA)
        if found.tag is not None:
            return  # the next check says so
    student.computes(Formula(FORMULA, FORMULA, found.residual))


@check(
    points=3,
    concept="post-norm",
    hints=("With a new block, what are the mean and the variance of each row of the output?",),
)
def check_normalises_the_sum(student: Student, draw: Draw) -> None:
    """The sum goes through a layer norm, and nothing else is normalised."""
    found = identified(student, draw)
    if found.tag in NORM or found.text is None:
        expect(found).to_be(FORMULA)
    flat = student.PostNormBlock(8, Probe(lambda h: 0.0 * h), 0.0).eval()(torch.ones(2, 3, 8))
    if not bool(torch.isfinite(flat).all()):
        fail("Your block returns NaN when all features of a token are equal.",
             expected="A norm with a small eps under the root, as nn.LayerNorm has.", tag="norm-wrong-stat",
             formula=Formula("Norm[no eps](x + F(x))", FORMULA))  # fmt: skip
    for dim in (8, 5):
        probe, x = Probe(draw.map(dim)), draw.input(4, 6, dim)
        output = student.PostNormBlock(dim, probe, 0.3).eval()(x)
        norm = as_norm(output, x + probe.function(x))
        if norm is None or is_trained(norm.weight) or is_trained(norm.bias):
            return  # another formula, or new numbers of its own for each feature
        factor, shift = float(norm.weight.mean()), float(norm.bias.mean())
        if abs(shift) > 1e-2:
            fail(f"A new block adds {shift:.3g} to what the norm made.", expected="The norm, as it is.",
                 tag="extra-op", formula=Formula(f"{FORMULA} + {shift:.3g}".replace("+ -", "- "), FORMULA))  # fmt: skip
        if abs(factor - 1) > 1e-2:
            fail(f"A new block multiplies what the norm made by {factor:.3g}.", expected="The norm, as it is.",
                 tag="wrong-scale", formula=Formula(f"{factor:.3g}·{FORMULA}", FORMULA))  # fmt: skip
        if norm.residual > 1e-9:
            student.remark("Your norm differs from nn.LayerNorm by less than a thousandth; that costs no points.")


@check(points=1, concept="post-norm", hints=("Which names does `block.parameters()` list for the norm?",))
def check_has_a_norm_of_its_own(student: Student, draw: Draw) -> None:
    """Each block has its own norm with a trainable scale and shift."""
    probe, x = Probe(draw.map(8)), draw.input(4, 6, 8)
    block, neighbour = (student.PostNormBlock(8, probe, 0.3).eval() for _ in range(2))
    reply, before, again = block.call(x), neighbour(x), neighbour(x)
    expect_registered(block, reply, block.call(x))
    draw.parameters(block)
    norm = as_norm(block(x), x + probe.function(x))
    if norm is not None and not (is_trained(norm.weight) and is_trained(norm.bias)):
        fail("Your block has no trainable scale, or no shift, for each feature.",
             expected="nn.LayerNorm(dim) with its parameters.", tag="wrong-norm")  # fmt: skip
    if same(before, again) and not same(neighbour(x), before):
        fail("Two blocks share one norm: changing one changed the other.",
             expected="A norm for each block, made in `__init__`.", tag="shared-norm")  # fmt: skip


@check(points=1, concept="parameters", hints=("Which of your parts does `block.named_parameters()` list?",))
def check_registers_the_sublayer(student: Student, draw: Draw) -> None:
    """`parameters()` lists the sublayer's parameters, so that an optimiser can train them."""
    linear, x = student.build("torch.nn.Linear", 8, 8), draw.input(2, 5, 8)
    block = student.PostNormBlock(8, linear, 0.0).eval()
    expect_registered(block, block.call(x), block.call(x))
    before = block(x)
    draw.parameters(linear)
    if same(block(x), before) and any(value.shape == (8, 8) for value in block.parameters().values()):
        fail("Your block works with a copy of the sublayer, so the one that was handed in is never trained.",
             expected="The sublayer itself, kept as an attribute.", tag="wrong-sublayer")  # fmt: skip


@check(points=1, concept="gradients", hints=("Does autograd record every operation on the way from x to the result?",))
def check_lets_the_gradient_through(student: Student, draw: Draw) -> None:
    """The gradients are the derivative of what the block computes, along both paths."""
    probe, x = Probe(draw.map(8)), draw.input(4, 6, 8)
    block = student.PostNormBlock(8, probe, 0.0).eval()
    block.call(x)
    expect_state(student)
    draw.parameters(block)

    def cut() -> Formula:
        linear = student.build("torch.nn.Linear", 8, 8)
        student.PostNormBlock(8, linear, 0.0).gradient(x, draw.normal(4, 6, 8))
        trains = any(gradient is not None for gradient in linear.gradients().values())
        return Formula(lost_in_post_norm(block, x, probe, draw.normal(4, 6, 8), trains=trains), FORMULA)

    expect_true_gradient(block, x, draw, cut)


@check(points=2, concept="dropout", hints=("Let the sublayer return ones: which elements of the sum changed?",))
def check_drops_from_the_branch_only(student: Student, draw: Draw) -> None:
    """In training, dropout acts on the sublayer's result only, with the given rate (false alarm below 1e-9)."""
    x = draw.input(400, 50) + 20
    dropout_in_norm(lambda *given: student.PostNormBlock(50, *given), x, {0.2: (0.2,), 0.7: (0.7,)}).expect()
    if dropout_in_norm(lambda *given: student.PostNormBlock(50, *given), x, {0.1: ()}).tag is not None:
        fail("Without the argument `dropout`, the rate of your block is not 0.1.",
             expected="PostNormBlock(dim, sublayer, dropout=0.1)", tag="wrong-signature")  # fmt: skip


@check(points=1, concept="dropout", hints=("What does `.eval()` change, and which of your lines can know about it?",))
def check_is_quiet_in_eval_mode(student: Student, draw: Draw) -> None:
    """In evaluation mode the same input gives the same output."""
    expect_quiet(student.PostNormBlock(8, Probe(draw.map(8)), 0.5), draw.input(4, 6, 8))


@check(points=1, concept="side effects")
def check_leaves_global_settings_alone(student: Student, draw: Draw) -> None:
    """Building and calling the block leaves the random seed, the default number type and the gradient mode alone."""
    for dtype in ("float64", "float32"):
        student.begin(1234, dtype)
        block = student.PostNormBlock(8, Probe(draw.map(8)), 0.3)
        for mode in (block.train, block.eval):
            mode().call(draw.input(2, 5, 8).to(getattr(torch, dtype)))
            expect_state(student, seed=1234, dtype=dtype)


def show_steps(student: Student, draw: Draw) -> tuple[Row, ...]:
    """The steps of a new block in evaluation mode, around an nn.Linear: 2 sequences of 4 tokens, 8 numbers each."""
    x, sublayer = draw.input(2, 4, 8), student.build("torch.nn.Linear", 8, 8)
    changed = sublayer(x)
    steps = [Step("x", x), Step("F(x)", changed), Step("x + F(x)", x + changed)]
    steps.append(Step(FORMULA, torch.nn.functional.layer_norm(x + changed, (8,))))
    return replay(student.PostNormBlock(8, sublayer, 0.0).eval(), steps)
