"""Hidden checks of TransformerBlock: `h = x + Dropout(A(Norm1(x)))`, `y = h + Dropout(F(Norm2(h)))`."""

from functools import partial
from itertools import pairwise
from typing import Any

import torch

from grader.checks import (
    Draw,
    Formula,
    Remote,
    Row,
    Student,
    StudentRaised,
    TwoHalves,
    as_norm,
    block_steps,
    check,
    described,
    expect,
    expect_halves,
    expect_heads,
    expect_input_kept,
    expect_quiet,
    expect_registered,
    expect_state,
    expect_true_gradient,
    fail,
    gap,
    large_output,
    replay,
    same,
    sublayer_in,
    works,
)

FORMULA = "h = x + A(Norm1(x)); y = h + F(Norm2(h))"
RAW = {"skip-after-norm"}
SHARED = {"shared-norm"}
NORM = {
    "post-norm",
    "norm-on-output",
    "missing-norm",
    "double-norm",
    "wrong-norm",
    "norm-wrong-axis",
    "norm-wrong-stat",
}
OTHER_TYPE = "Your block turns a float64 input into another number type."
GPT2_SMALL = {"emb_dim": 768, "context_length": 1024, "n_heads": 12, "drop_rate": 0.1, "qkv_bias": False}
WHOLE_MODEL = {  # what a configuration holds when it is that of a whole model
    "vocab_size": 50257, "context_length": 4, "emb_dim": 12, "n_heads": 2, "n_layers": 12, "drop_rate": 0.1,
    "qkv_bias": False,
}  # fmt: skip


def config(**changes: Any) -> dict[str, Any]:
    """A small configuration."""
    return {"emb_dim": 12, "context_length": 9, "n_heads": 3, "drop_rate": 0.0, "qkv_bias": True, **changes}


def output_of(block: Remote, x: torch.Tensor) -> torch.Tensor:
    """What the block returns for `x`, which must have the same shape."""
    output = block(x)
    expect(output).to_have_shape(tuple(x.shape), given=f"an input of shape {tuple(x.shape)}")
    return output


def blocks(student: Student, draw: Draw, **changes: Any) -> TwoHalves:
    """Experiments on blocks of a small configuration."""
    cfg = config(**changes)

    def build(rate: float, **room: int) -> Any:
        return student.TransformerBlock({**cfg, "drop_rate": rate, **room})

    longer = partial(build, context_length=64)
    names = {"norm": "LayerNorm(emb_dim)", "rate": "drop_rate"}
    return TwoHalves(build, draw, cfg["emb_dim"], longer, once=student.once, **names)


# Loading and calling -------------------------------------------------------------------------------------------------


@check(
    points=0.5,
    concept="the interface",
    visible=True,
    hints=(
        "Which names does `cfg` have, and how is a dict read?",
        "Run the example of the docstring: at which line does it stop?",
    ),
)
def check_takes_the_configuration(student: Student) -> None:
    """TransformerBlock(cfg) can be built from the dict of a whole model, and called with one tensor."""
    cfg = dict(WHOLE_MODEL)
    student.show(inputs=[["cfg", str(cfg)], ["x", "torch.linspace(-1, 1, 96).reshape(2, 4, 12)"]])
    student.TransformerBlock(cfg).call(torch.linspace(-1, 1, 96).reshape(2, 4, 12))


@check(points=1, concept="shapes", visible=True, hints=("What shape does each line of forward have?",))
def check_keeps_the_shape(student: Student) -> None:
    """The output has the shape and the number type of the input, at GPT-2 small size and at others."""
    rows: list[list[str]] = []
    for shape, count in (((2, 4, 768), 12), ((1, 1, 12), 3), ((3, 1, 8), 2), ((1, 4, 6), 1), ((4, 3, 16), 4)):
        is_large = shape[-1] == 768
        cfg = GPT2_SMALL if is_large else {**GPT2_SMALL, "emb_dim": shape[-1], "n_heads": count, "context_length": 16}
        x = torch.linspace(-1, 1, torch.Size(shape).numel()).reshape(shape)
        output = (
            large_output(student, x, "TransformerBlock", cfg)
            if is_large
            else student.TransformerBlock(cfg).call(x).value
        )
        rows.append([str(shape), str(count), described(output)])
        student.show(table={"caption": "Shapes", "columns": ["input", "n_heads", "output"], "rows": list(rows)})
        expect(output).to_have_shape(shape, given=f"an input of shape {shape}")
        if not is_large and output.dtype != torch.float64:
            fail(OTHER_TYPE, expected="The number type of the input.", tag="wrong-dtype-device")
    _, calls = student.TransformerBlock(config()).trace(torch.ones(1, 4, 12))
    if any(isinstance(call.input, torch.Tensor) and call.input.dtype == torch.float32 for call in calls):
        fail(OTHER_TYPE, expected="The number type of the input, all the way through.", tag="wrong-dtype-device")


@check(points=1, concept="side effects", hints=("Print x before and after the call.",))
def check_leaves_the_input_alone(student: Student, draw: Draw) -> None:
    """The caller's tensor is the same after the call as before."""
    expect_input_kept(student.TransformerBlock(config(drop_rate=0.3)), draw.input(2, 4, 12))


# The formula ---------------------------------------------------------------------------------------------------------


@check(points=1, concept="attention", hints=("Which axis of (batch, tokens, emb_dim) does attention mix?",))
def check_keeps_sequences_apart(student: Student, draw: Draw) -> None:
    """The sequences of a batch do not influence each other."""
    block, x = blocks(student, draw).drawn(), draw.input(3, 4, 12)
    if not same(block(x), block(x)):
        expect_registered(block, block.call(x), block.call(x))
    other = torch.cat([draw.input(1, 4, 12), x[1:]])
    if not same(output_of(block, other)[1:], output_of(block, x)[1:]):
        fail(
            "Changing one sequence of the batch changed the output for the others.",
            expected="Attention along the tokens of one sequence.",
            tag="attention-wrong-axis",
        )
    if not same(output_of(block, x[:1]), output_of(block, x)[:1]):
        fail(
            "A sequence alone gives another output than the same one in a batch.",
            expected="The same output for a sequence, whatever else is in the batch.",
            tag="attention-wrong-axis",
        )


@check(points=4, concept="the shortcut", hints=("Write down what each half gets, and what it adds at its end.",))
def check_adds_both_shortcuts(student: Student, draw: Draw) -> None:
    """Each half adds its own input to what its sublayer returns, attention first."""
    found = blocks(student, draw).found()
    expect_halves(found, RAW | NORM | SHARED, others=True)
    if found.text == FORMULA:
        student.computes(Formula(FORMULA, FORMULA, found.first.residual))


@check(points=2, concept="the shortcut", hints=("Which value does your variable hold by the time you add it?",))
def check_adds_the_raw_input(student: Student, draw: Draw) -> None:
    """What each half adds is its input as it came in, not the normalised one."""
    expect_halves(blocks(student, draw).found(), RAW, others=False)


@check(points=3, concept="pre-norm", hints=("Write down what each sublayer gets, and what happens to its result.",))
def check_normalises_before_each_sublayer(student: Student, draw: Draw) -> None:
    """In both halves the sublayer gets the layer norm of the half's input, and nothing else is normalised."""
    found = blocks(student, draw).found()
    expect_halves(found, NORM, others=False)
    for sublayer, base in zip(found.anatomy.sublayers, found.bases, strict=False):
        norm = as_norm(sublayer.input, base)
        if norm is not None and norm.kind == "layer" and norm.eps != 1e-5:
            student.remark(f"Your norm uses eps={norm.eps:g}; LayerNorm uses 1e-5. That makes no difference here.")
    if not bool(torch.isfinite(student.TransformerBlock(config()).eval()(torch.ones(2, 4, 12))).all()):
        fail(
            "Your block returns NaN when all features of a token are equal.",
            expected="A norm with a small eps under the root.",
            tag="norm-wrong-stat",
        )


@check(points=1.5, concept="pre-norm", hints=("Change the scale of one norm: which half of the output should follow?",))
def check_has_a_norm_for_each_half(student: Student, draw: Draw) -> None:
    """Each half has its own norm with a trainable scale and shift, and no block shares it with another."""
    blocks(student, draw).expect_own_norms()


# The parts -----------------------------------------------------------------------------------------------------------


@check(points=2, concept="attention", hints=("Change the last token only: which outputs may change?",))
def check_does_not_look_ahead(student: Student, draw: Draw) -> None:
    """No token's output depends on a later token (tried with random changes), and every one on the earlier ones."""
    blocks(student, draw).expect_causal()


@check(
    points=1, concept="attention", hints=("What are the scores divided by, and what becomes of the heads' results?",)
)
def check_attends_as_asked(student: Student, draw: Draw) -> None:
    """Scores are divided by the root of the head size, and the heads' results go through an output projection."""
    expect_heads(sublayer_in(*blocks(student, draw).one_sequence(), "A"))


@check(
    points=1.5,
    concept="feed forward",
    hints=("How wide is the feed forward inside, and what stands between its layers?",),
)
def check_has_the_feed_forward_asked_for(student: Student, draw: Draw) -> None:
    """The feed forward acts on each token alone, is four times as wide inside, and has a GELU there."""
    for bias in (True, False):
        blocks(student, draw, qkv_bias=bias).expect_feed_forward(48, student)


# Learning ------------------------------------------------------------------------------------------------------------


@check(points=1.5, concept="parameters", hints=("Which of your layers does `block.parameters()` list?",))
def check_registers_all_parameters(student: Student, draw: Draw) -> None:
    """`parameters()` lists everything that the block uses, so that an optimiser can train it."""
    block, x = student.TransformerBlock(config()), draw.input(2, 4, 12)
    expect_registered(block, block.call(x), block.call(x))


@check(
    points=1,
    concept="gradients",
    hints=("Does every path from x to the result consist of operations autograd records?",),
)
def check_lets_the_gradient_through(student: Student, draw: Draw) -> None:
    """The gradients are the derivative of what the block computes, along every path."""
    halves = blocks(student, draw)
    expect_true_gradient(halves.drawn(), draw.input(2, 4, 12), draw, halves.lost_gradient)


@check(points=1.5, concept="depth", hints=("Which parameters have no `.grad` after a backward pass?",))
def check_stacks_twelve_deep(student: Student, draw: Draw) -> None:
    """Twelve blocks stack, and every parameter of every block receives a gradient."""
    blocks = [student.TransformerBlock(config(n_heads=2)) for _ in range(12)]
    stack, x = student.build("torch.nn.Sequential", *blocks), draw.input(2, 4, 12)
    if any(not value.any() for value in blocks[0].parameters().values() if value.dim() > 1):
        fail(
            "A weight matrix of a new block is zero.",
            expected="The initial weights that the layers draw themselves.",
            tag="wrong-init",
        )
    output_of(blocks[0], x)
    found = stack.gradient(x, draw.normal(2, 4, 12))
    if not bool(torch.isfinite(found.output).all()):
        fail("After twelve blocks the output is not finite.", expected="Finite numbers.", tag="not-finite")
    missing = next((name for name, gradient in found.parameters.items() if gradient is None), None)
    if missing is not None:
        number, _, name = missing.partition(".")
        fail(
            f"In block {int(number) + 1} of 12 no gradient reaches `{name[:60]}`.",
            expected="A gradient in every parameter.",
            tag="broken-gradient",
        )


# Dropout -------------------------------------------------------------------------------------------------------------


@check(points=2.5, concept="dropout", hints=("Let a sublayer return ones: which elements of the output changed?",))
def check_drops_from_both_branches(student: Student, draw: Draw) -> None:
    """In training, dropout with `drop_rate` acts on the result of each sublayer, before each sum."""
    wide = blocks(student, draw, emb_dim=48, n_heads=4, context_length=64)
    blocks(student, draw).expect_dropout(wide)


@check(points=1, concept="dropout", hints=("What does `.eval()` change, and which of your lines can know about it?",))
def check_is_quiet_in_eval_mode(student: Student, draw: Draw) -> None:
    """In evaluation mode the same input gives the same output."""
    expect_quiet(student.TransformerBlock(config(drop_rate=0.5)), draw.input(2, 4, 12))


# The rest of the contract ---------------------------------------------------------------------------------------------


@check(
    points=1.5,
    concept="the configuration",
    hints=(
        "Which numbers are written out in your class?",
        "Build two blocks that differ in one key: what differs in them?",
    ),
)
def check_follows_the_configuration(student: Student, draw: Draw) -> None:
    """Each key of cfg has its effect: qkv_bias, n_heads, context_length."""
    made = [student.TransformerBlock(config(qkv_bias=bias)).parameters().values() for bias in (True, False)]
    if sum(value.numel() for value in made[0]) == sum(value.numel() for value in made[1]):
        fail(
            "`qkv_bias` makes no difference.",
            expected="With it, queries, keys and values have a bias.",
            tag="config-ignored",
        )
    x, outputs = draw.input(2, 4, 12), []
    values = draw.parameters(student.TransformerBlock(config(n_heads=1)))
    for count in (1, 2, 3):
        block = student.TransformerBlock(config(n_heads=count)).eval()
        if {name: v.shape for name, v in block.parameters().items()} == {name: v.shape for name, v in values.items()}:
            block.assign(values)
            outputs.append(block(x))
    if any(gap(a, b) < 1e-6 for a, b in pairwise(outputs)):
        fail("`n_heads` makes no difference.", expected="As many heads as cfg says.", tag="config-ignored")
    for length in (9, 30):
        try:
            student.TransformerBlock(config(context_length=length)).call(draw.input(1, length, 12))
        except StudentRaised as error:
            fail(
                f"With context_length={length}, a sequence of {length} tokens raises an error.",
                expected="Sequences of up to context_length tokens.",
                tag="config-ignored",
                staff_note=str(error),
            )


@check(points=1, concept="side effects")
def check_leaves_global_settings_alone(student: Student, draw: Draw) -> None:
    """Building and calling the block leaves the random seed, the default number type and the gradient mode alone."""
    for dtype in ("float64", "float32"):
        student.begin(1234, dtype)
        block = student.TransformerBlock(config(drop_rate=0.3))
        for mode in (block.train, block.eval):
            x = draw.input(2, 4, 12).to(getattr(torch, dtype))
            if not works(lambda mode=mode, x=x: mode().call(x)) and dtype == "float64":
                mode().call(x)
            expect_state(student, seed=1234, dtype=dtype)


# For the page ---------------------------------------------------------------------------------------------------------


def show_steps(student: Student, draw: Draw) -> tuple[Row, ...]:
    """The steps of a new block in evaluation mode: 2 sequences of 4 tokens, 12 numbers each."""
    block = student.TransformerBlock(config()).eval()
    steps = block_steps(block, draw.input(2, 4, 12), blocks(student, draw).plan())
    return replay(block, steps, whole=steps[-1].name.startswith("y"))
