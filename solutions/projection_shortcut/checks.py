"""Hidden checks of ProjectionShortcut: `x + F(x)` where the shape stays, `W·x + F(x)` where it changes."""

from contextlib import suppress
from dataclasses import replace

import torch
from torch.nn import functional

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
    check,
    expect,
    expect_input_kept,
    expect_quiet,
    expect_registered,
    expect_state,
    expect_true_gradient,
    fail,
    replay,
    same,
    works,
)
from grader.checks.residual.projection import Change, identify_projection, in_training, read_shortcut

SAME, MORE, SMALLER, BOTH = Change(4, 4, 1), Change(4, 6, 1), Change(4, 4, 2), Change(4, 6, 2)
CHANGES = (BOTH, MORE, SMALLER, Change(6, 3, 3))


def branch(draw: Draw, change: Change) -> Probe:
    """A sublayer that changes the shape of images like this: convolution 3×3, tanh, convolution 1×1."""
    kernel = draw.normal(5, change.channels, 3, 3) / (9 * change.channels) ** 0.5
    mixing, shift = draw.normal(change.out_channels, 5, 1, 1), draw.normal(change.out_channels)

    def function(h: torch.Tensor) -> torch.Tensor:
        return functional.conv2d(functional.conv2d(h, kernel, None, change.stride, 1).tanh(), mixing, shift)

    return Probe(function)


def block_for(student: Student, change: Change, sublayer: Probe | Remote) -> Remote:
    """A new block in evaluation mode, which can be called. Where it cannot, the other changes show why."""
    try:
        return _called(student, change, sublayer)
    except StudentRaised as error:
        runs = [other for other in (SAME, MORE, BOTH) if other != change and _runs(student, other)]
        if SAME not in runs:
            raise
        tag, expected = "projection-condition", "A projection where the channels or the stride change the shape."
        if change.stride > 1 and MORE in runs and BOTH not in runs:
            tag, expected = "wrong-projection", "A projection that takes steps of the stride, as the sublayer does."
        fail(f"With {change}, your block raises an error.", expected=expected, tag=tag, staff_note=str(error))


def _called(student: Student, change: Change, sublayer: Probe | Remote) -> Remote:
    block: Remote = student.ProjectionShortcut(change.channels, change.out_channels, change.stride, sublayer).eval()
    block.call(
        torch.linspace(-1, 1, 56 * change.channels, dtype=getattr(torch, student.number_type)).reshape(1, -1, 8, 7)
    )
    return block


def _runs(student: Student, change: Change) -> bool:
    return works(lambda: _called(student, change, branch(Draw(0), change)))


def identified(student: Student, draw: Draw, change: Change) -> Identified:
    """The formula of a block for this change, with random parameters."""
    probe, x = branch(draw, change), draw.input(8, change.channels, 8, 7)
    block = block_for(student, change, probe)
    expect_quiet(block, x)
    _expect_float64(block(x))
    draw.parameters(block)
    return identify_projection(block, x, probe, change)


def _expect_float64(output: torch.Tensor) -> None:
    if output.dtype != torch.float64:
        fail("Your block turned a float64 input into another number type.", expected="The number type of the input.",
             tag="wrong-dtype-device")  # fmt: skip


# Building and calling -------------------------------------------------------------------------------------------------


@check(points=1, concept="the interface", visible=True, hints=("Compare your `def` lines with the stub's.",))
def check_takes_the_arguments(student: Student) -> None:
    """ProjectionShortcut(in_channels, out_channels, stride, sublayer) takes images and returns images."""
    x = torch.linspace(-1, 1, 512).reshape(2, 4, 8, 8)
    student.show(inputs=[["block", "ProjectionShortcut(4, 4, 1, nn.Conv2d(4, 4, 3, padding=1))"],
                         ["x", "torch.linspace(-1, 1, 512).reshape(2, 4, 8, 8)"]])  # fmt: skip
    conv = student.build("torch.nn.Conv2d", 4, 4, 3, padding=1)
    try:
        output = student.ProjectionShortcut(4, 4, 1, conv).call(x).value
    except StudentRaised:
        named = {"in_channels": 4, "out_channels": 4, "stride": 1, "sublayer": conv}
        if works(lambda: student.ProjectionShortcut(**named).call(x)):
            fail("Your ProjectionShortcut takes its arguments in another order.",
                 expected="ProjectionShortcut(in_channels, out_channels, stride, sublayer)",
                 tag="wrong-signature")  # fmt: skip
        raise
    if isinstance(output, torch.Tensor) and output.shape == (2, 8, 8, 8):
        fail("Your block puts both paths side by side: the output has twice as many channels.",
             expected="The sum of both paths.", tag="wrong-combine")  # fmt: skip
    expect(output).to_have_shape((2, 4, 8, 8), given="an input of shape (2, 4, 8, 8)")
    _expect_float64(output)


@check(points=1, concept="side effects", hints=("Print x before and after the call.",))
def check_leaves_the_input_alone(student: Student, draw: Draw) -> None:
    """The caller's tensor is the same after the call as before."""
    expect_input_kept(block_for(student, SAME, branch(draw, SAME)), draw.input(2, 4, 8, 7))


@check(points=2, concept="parameters", hints=("Which names does `block.parameters()` list?",))
def check_registers_both_paths(student: Student, draw: Draw) -> None:
    """`parameters()` lists what the sublayer and the projection learn, and each block has a projection of its own."""
    conv, x = student.build("torch.nn.Conv2d", 4, 6, 3, stride=2, padding=1), draw.input(2, 4, 8, 7)
    block, other = block_for(student, BOTH, conv), block_for(student, BOTH, branch(draw, BOTH))
    expect_registered(block, block.call(x), block.call(x))
    _expect_there_from_the_start(student, x, branch(draw, BOTH))
    expect_quiet(other, x)
    before = other(x)
    draw.parameters(block)
    if not same(other(x), before):
        fail("Two blocks share their projection: changing one changed the other.",
             expected="A projection for each block, made in `__init__`.", tag="shared-layer")  # fmt: skip


def _expect_there_from_the_start(student: Student, x: torch.Tensor, sublayer: Probe) -> None:
    """No parameter appears with the first call. (Those of a lazy layer cannot be looked at before it.)"""
    block, before = student.ProjectionShortcut(BOTH.channels, BOTH.out_channels, BOTH.stride, sublayer), None
    with suppress(StudentRaised):
        before = block.parameters().keys()
    block(x)
    if before is not None and block.parameters().keys() - before:
        fail("The first call of forward adds parameters. An optimiser that was made before it never trains them.",
             expected="All layers made in `__init__`.", tag="fresh-layer-in-forward")  # fmt: skip


# The formula ----------------------------------------------------------------------------------------------------------


@check(points=3, concept="the shortcut", hints=("What should come out if the sublayer returns only zeros?",))
def check_adds_the_input_where_it_fits(student: Student, draw: Draw) -> None:
    """Where channels and stride leave the shape as it is, the block adds its input and has no parameters itself."""
    found = identified(student, draw, SAME)
    if found.text is not None and found.text.startswith("W·x"):
        found = replace(found, tag="projection-condition")
    expect_formula(found, SAME)
    if count := sum(value.numel() for value in block_for(student, SAME, branch(draw, SAME)).parameters().values()):
        fail(f"With {SAME}, your shortcut has {count:,} trainable numbers.", expected="None: the input fits as it is.",
             tag="projection-condition", formula=Formula(SAME.formula, SAME.formula))  # fmt: skip


@check(points=4, concept="the projection", hints=("Write down the shape of both paths, right before the sum.",))
def check_projects_where_the_shape_changes(student: Student, draw: Draw) -> None:
    """Where channels or stride change the shape, the block adds a 1×1 convolution of its input, with that stride."""
    for change in CHANGES:
        expect_formula(identified(student, draw, change), change)
    weights = block_for(student, BOTH, branch(draw, BOTH)).parameters().values()
    if not any(bool(value.any()) for value in weights if value.dim() > 1):
        fail("The projection of a new block is zero, so nothing of the input gets through.",
             expected="The initial weights that torch draws.", tag="wrong-init",
             formula=Formula(BOTH.formula, BOTH.formula))  # fmt: skip
    student.computes(Formula(BOTH.formula, BOTH.formula))


def expect_formula(found: Identified, change: Change) -> None:
    """The formula for this change, and one call of the sublayer."""
    if found.tag == "sublayer-twice" and found.text == change.formula:
        fail("Your block runs the sublayer more than once for one input.", expected="One call.", tag=found.tag)
    if found.tag == "wrong-return":
        fail(f"With {change}, your block returns another shape than the sublayer.", expected="The shape of F(x).",
             tag=found.tag)  # fmt: skip
    if found.tag is not None or found.text != change.formula:
        expect(found).to_be(change.formula)


# Learning -------------------------------------------------------------------------------------------------------------


@check(points=2, concept="gradients", hints=("Does every step from x to the result let autograd follow?",))
def check_lets_the_gradient_through(student: Student, draw: Draw) -> None:
    """Gradients flow through the shortcut and through the sublayer."""
    for change in (SAME, BOTH):
        block = block_for(student, change, branch(draw, change))
        draw.parameters(block)
        expect_true_gradient(block, draw.input(2, 4, 5, 4), draw)


@check(points=1, concept="evaluation", hints=("Which layers do something else after `.eval()`?",))
def check_is_the_same_in_training_and_evaluation(student: Student, draw: Draw) -> None:
    """Around a sublayer that is the same in both, the block does the same in training as in evaluation."""
    for change in (SAME, BOTH):
        probe, x = branch(draw, change), draw.input(4, 4, 8, 7)
        block = block_for(student, change, probe)
        expect_quiet(block, x)
        evaluated, trained = block(x), block.train()(x)
        if not same(trained, evaluated):
            text = in_training(evaluated, trained, probe.function(x), change.formula)
            fail("In training your block does something else than in evaluation.",
                 expected="The same in both modes: no norm and no dropout around the sublayer.", tag="extra-op",
                 formula=Formula(text, change.formula) if text else None)  # fmt: skip


@check(points=1, concept="side effects")
def check_leaves_global_settings_alone(student: Student, draw: Draw) -> None:
    """Building and calling the block leaves the random seed, the default number type and the gradient mode alone."""
    for dtype in ("float64", "float32"):
        student.begin(1234, dtype)
        block_for(student, BOTH, branch(draw, BOTH)).call(draw.input(2, 4, 8, 7).to(getattr(torch, dtype)))
        expect_state(student, seed=1234, dtype=dtype)


# For the page ---------------------------------------------------------------------------------------------------------


def show_steps(student: Student, draw: Draw) -> tuple[Row, ...]:
    """The steps of a new block around an nn.Conv2d: 2 images of 4 channels, 6 channels and half the size after it."""
    x, conv = draw.input(8, 4, 8, 8), student.build("torch.nn.Conv2d", 4, 6, 3, stride=2, padding=1)
    block, values = block_for(student, BOTH, conv), conv.parameters()
    changed = conv(x)
    conv.assign({name: torch.zeros_like(value) for name, value in values.items()})
    projected = block(x)
    conv.assign(values)
    if read_shortcut(projected, x, BOTH.stride) != "W·x":
        return ()
    steps = (("x", x), ("W·x", projected), ("F(x)", changed), (BOTH.formula, projected + changed))
    return replay(block, [Step(*step) for step in steps])
