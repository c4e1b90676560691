"""Hidden checks of ViTEncoderBlock: `h = x + Dropout(A(Norm1(x)))`, `y = h + Dropout(F(Norm2(h)))`, no mask."""

from itertools import pairwise

import torch

from grader.checks import (
    Draw,
    Formula,
    Row,
    Student,
    StudentRaised,
    TwoHalves,
    block_steps,
    check,
    described,
    expect,
    expect_halves,
    expect_heads,
    expect_input_kept,
    expect_no_mask,
    expect_quiet,
    expect_registered,
    expect_state,
    expect_true_gradient,
    fail,
    gap,
    large_output,
    lost_in_block,
    replay,
    same,
    sublayer_in,
    works,
)

FORMULA = "h = x + A(Norm1(x)); y = h + F(Norm2(h))"
NORM = {
    "post-norm",
    "norm-on-output",
    "missing-norm",
    "double-norm",
    "wrong-norm",
    "norm-wrong-axis",
    "norm-wrong-stat",
}
OWN = {"shared-norm"}


def blocks(student: Student, draw: Draw) -> TwoHalves:
    """Blocks of width 12 with 3 heads."""
    return TwoHalves(lambda rate: student.ViTEncoderBlock(12, 3, rate), draw, 12, once=student.once)


# Loading and calling -------------------------------------------------------------------------------------------------


@check(
    points=1,
    concept="the interface",
    visible=True,
    hints=("Compare your `def` lines with the stub's, name by name.",),
)
def check_takes_the_arguments(student: Student) -> None:
    """ViTEncoderBlock(dim, heads, dropout) can be built, and called with one tensor."""
    x = torch.linspace(-1, 1, 96).reshape(2, 4, 12)
    student.show(
        inputs=[["block", "ViTEncoderBlock(12, 3, 0.1)"], ["x", "torch.linspace(-1, 1, 96).reshape(2, 4, 12)"]]
    )
    try:
        student.ViTEncoderBlock(12, 3, 0.1).call(x)
    except StudentRaised:
        if not works(lambda: student.ViTEncoderBlock(dim=12, heads=3, dropout=0.1).call(x)):
            raise
        fail(
            "Your ViTEncoderBlock takes its arguments in another order.",
            expected="ViTEncoderBlock(dim, heads, dropout)",
            tag="wrong-signature",
        )


@check(points=1, concept="shapes", visible=True, hints=("What shape does each line of forward have?",))
def check_keeps_the_shape(student: Student) -> None:
    """The output has the shape and the number type of the input, for any number of patches."""
    rows: list[list[str]] = []
    for shape, count in (((1, 197, 192), 3), ((2, 9, 12), 3), ((1, 1, 12), 3), ((3, 1, 8), 2), ((4, 3, 16), 4)):
        x, is_large = torch.linspace(-1, 1, torch.Size(shape).numel()).reshape(shape), shape[-1] == 192
        args = (shape[-1], count, 0.1)
        output = (
            large_output(student, x, "ViTEncoderBlock", *args)
            if is_large
            else student.ViTEncoderBlock(*args).call(x).value
        )
        rows.append([str(shape), str(count), described(output)])
        student.show(table={"caption": "Shapes", "columns": ["input", "heads", "output"], "rows": list(rows)})
        expect(output).to_have_shape(shape, given=f"an input of shape {shape}")
        if not is_large and output.dtype != torch.float64:
            fail(
                "Your block turned a float64 input into another number type.",
                expected="The number type of the input.",
                tag="wrong-dtype-device",
            )


@check(points=1, concept="side effects", hints=("Print x before and after the call.",))
def check_leaves_the_input_alone(student: Student, draw: Draw) -> None:
    """The caller's tensor is the same after the call as before."""
    expect_input_kept(student.ViTEncoderBlock(12, 3, 0.3), draw.input(2, 4, 12))


# The formula ---------------------------------------------------------------------------------------------------------


@check(points=1, concept="attention", hints=("Which axis of (batch, patches, dim) does your attention mix?",))
def check_keeps_images_apart(student: Student, draw: Draw) -> None:
    """The images of a batch do not influence each other."""
    block, x = blocks(student, draw).drawn(), draw.input(3, 4, 12)
    output = block(x)
    if not same(block(x), output):
        return  # random or made anew each time, which has its own check
    expect(output).to_have_shape((3, 4, 12), given="an input of shape (3, 4, 12)")
    if not same(block(torch.cat([draw.input(1, 4, 12), x[1:]]))[1:], output[1:]) or not same(block(x[:1]), output[:1]):
        fail(
            "Changing one image of the batch changed the output for the others.",
            expected="Attention along the patches of one image.",
            tag="attention-wrong-axis",
        )


@check(points=3, concept="the shortcut", hints=("Write down what each half gets, and what it adds at its end.",))
def check_adds_both_shortcuts(student: Student, draw: Draw) -> None:
    """Each half adds its own input to what its sublayer returns, attention first."""
    found = blocks(student, draw).found()
    expect_halves(found, NORM | OWN, others=True)
    if found.text == FORMULA:
        student.computes(Formula(FORMULA, FORMULA, found.first.residual))


@check(points=2, concept="pre-norm", hints=("Write down what each sublayer gets, and what happens to its result.",))
def check_normalises_before_each_sublayer(student: Student, draw: Draw) -> None:
    """In both halves the sublayer gets the layer norm of the half's input, and nothing else is normalised."""
    expect_halves(blocks(student, draw).found(), NORM, others=False)
    if not bool(torch.isfinite(student.ViTEncoderBlock(12, 3, 0.0).eval()(torch.ones(2, 4, 12))).all()):
        fail(
            "Your block returns NaN when all features of a patch are equal.",
            expected="A norm with a small eps under the root.",
            tag="norm-wrong-stat",
        )


@check(points=1, concept="pre-norm", hints=("Change the scale of one norm: which half of the output should follow?",))
def check_has_a_norm_for_each_half(student: Student, draw: Draw) -> None:
    """Each half has its own norm with a trainable scale and shift, and no block shares it with another."""
    blocks(student, draw).expect_own_norms()


# The parts -----------------------------------------------------------------------------------------------------------


@check(
    points=3,
    concept="attention",
    hints=("Change the last patch of an image: does the output of the first patch change? Should it?",),
)
def check_lets_every_patch_see_all(student: Student, draw: Draw) -> None:
    """Every patch attends to all patches, those after it too, in training as in evaluation."""
    expect_no_mask(blocks(student, draw).drawn(), draw.input, 12, ("patch", "patches"))


@check(
    points=1, concept="attention", hints=("What are the scores divided by, and what becomes of the heads' results?",)
)
def check_attends_as_asked(student: Student, draw: Draw) -> None:
    """Each head scales its scores by the root of its size, and a last layer mixes the heads."""
    block = blocks(student, draw).drawn()
    inputs = draw.input(16, 3, 12), draw.input(1, 60, 12)  # the second one is for code that loops over a batch
    _expect_as_many_heads(student, draw)
    expect_heads(next((found for x in inputs if (found := sublayer_in(block, x, "A")) is not None), None))


def _expect_as_many_heads(student: Student, draw: Draw) -> None:
    """With the same parameters, another number of heads gives another output."""
    x, outputs = draw.input(2, 4, 12), list[torch.Tensor]()
    values = draw.parameters(student.ViTEncoderBlock(12, 1, 0.0))
    for count in (1, 2, 3):
        block = student.ViTEncoderBlock(12, count, 0.0).eval()
        if {name: v.shape for name, v in block.parameters().items()} == {name: v.shape for name, v in values.items()}:
            block.assign(values)
            outputs.append(block(x))
    if any(gap(a, b) < 1e-6 for a, b in pairwise(outputs)):
        fail("`heads` makes no difference.", expected="As many heads as the argument says.", tag="config-ignored")


@check(points=1, concept="feed forward", hints=("How wide is the feed forward inside, and what stands in it?",))
def check_has_the_feed_forward_asked_for(student: Student, draw: Draw) -> None:
    """The feed forward acts on each patch alone, is four times as wide inside, and has a GELU there."""
    blocks(student, draw).expect_feed_forward(48)


# Learning ------------------------------------------------------------------------------------------------------------


@check(points=1, concept="parameters", hints=("Which of your layers does `block.parameters()` list?",))
def check_registers_all_parameters(student: Student, draw: Draw) -> None:
    """`parameters()` lists everything that the block uses, so that an optimiser can train it."""
    block, x = student.ViTEncoderBlock(12, 3, 0.0), draw.input(2, 4, 12)
    expect_registered(block, block.call(x), block.call(x))


@check(points=1, concept="gradients", hints=("Does autograd record every operation on the way from x to the result?",))
def check_lets_the_gradient_through(student: Student, draw: Draw) -> None:
    """The gradients are the derivative of what the block computes, along every path."""
    block, x = blocks(student, draw).drawn(), draw.input(2, 4, 12)

    def cut() -> Formula | None:
        found = lost_in_block(block, draw.input(16, 4, 12))
        return Formula(found.text, FORMULA, half=found.half) if found is not None else None

    expect_true_gradient(block, x, draw, cut)


@check(points=2, concept="dropout", hints=("Let a sublayer return ones: which elements of the output changed?",))
def check_drops_from_both_branches(student: Student, draw: Draw) -> None:
    """In training, dropout acts on the result of each sublayer, before each sum, with the given rate."""
    blocks(student, draw).expect_dropout()


@check(points=0.5, concept="dropout", hints=("What does `.eval()` change, and which of your lines knows about it?",))
def check_is_quiet_in_eval_mode(student: Student, draw: Draw) -> None:
    """In evaluation mode the same input gives the same output."""
    expect_quiet(student.ViTEncoderBlock(12, 3, 0.5), draw.input(2, 4, 12))


@check(points=0.5, concept="side effects")
def check_leaves_global_settings_alone(student: Student, draw: Draw) -> None:
    """Building and calling the block leaves the random seed, the default number type and the gradient mode alone."""
    for dtype in ("float64", "float32"):
        student.begin(1234, dtype)
        block = student.ViTEncoderBlock(12, 3, 0.3)
        for mode in (block.train, block.eval):
            mode().call(draw.input(2, 4, 12).to(getattr(torch, dtype)))
            expect_state(student, seed=1234, dtype=dtype)


# For the page --------------------------------------------------------------------------------------------------------


def show_steps(student: Student, draw: Draw) -> tuple[Row, ...]:
    """The steps of a new block in evaluation mode: 2 images of 4 patches, 12 numbers each."""
    block = student.ViTEncoderBlock(12, 3, 0.0).eval()
    steps = block_steps(block, draw.input(2, 4, 12), blocks(student, draw).plan())
    return replay(block, steps, whole=steps[-1].name.startswith("y"))
