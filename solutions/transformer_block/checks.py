"""Hidden checks of TransformerBlock: `h = x + Dropout(A(Norm1(x)))`, `y = h + Dropout(F(Norm2(h)))`."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import torch

from grader.checks import (
    BlockFound,
    Draw,
    Dropped,
    Formula,
    LastLayer,
    Remote,
    Row,
    Student,
    StudentRaised,
    anatomy,
    as_norm,
    blame_dropout,
    block_steps,
    cannot_tell,
    check,
    described,
    dropped_block,
    expect,
    expect_input_kept,
    expect_quiet,
    expect_registered,
    expect_state,
    expect_true_gradient,
    fail,
    feed_forward_of,
    find_dropout,
    gap,
    heads,
    identify_block,
    is_built_in,
    is_projected,
    is_trained,
    last_layers,
    lost_in_block,
    replay,
    same,
    silenced,
    sublayer_in,
    works,
)

FIRST, SECOND = "x + A(Norm1(x))", "h + F(Norm2(h))"
FORMULA = f"h = {FIRST}; y = {SECOND}"
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


def one_sequence(student: Student, draw: Draw, **changes: Any) -> tuple[Remote, torch.Tensor]:
    """A block with random parameters and one long sequence for it, on which code that loops over a batch shows, too."""
    block = student.TransformerBlock(config(context_length=64, **changes)).eval()
    draw.parameters(block)
    return block, draw.input(1, 60 if takes(block, 60) else 4, 12)


def takes(block: Remote, tokens: int, width: int = 12) -> bool:
    """Whether a block takes that many tokens; that it should has its own check."""
    return works(lambda: block.call(torch.zeros(1, tokens, width)))


def taken_apart(student: Student, draw: Draw) -> BlockFound:
    """The formulas of both halves, for all checks that read them."""
    return student.once("taken apart", lambda: take_apart(student, draw))


def take_apart(student: Student, draw: Draw, **changes: Any) -> BlockFound:
    """The formulas of both halves, all parameters random: sixteen sequences of four tokens, or one of sixty."""
    block = student.TransformerBlock(config(**changes)).eval()
    draw.parameters(block)
    x = draw.input(16, 4, 12)
    found = identify_block(block, x)
    if found is None or found.text is None:
        alone = identify_block(*one_sequence(student, draw, **changes))
        found = alone if alone is not None and alone.text is not None else found
    if found is None or (found.text is None and not {"A", "F"} <= set(found.anatomy.order)):
        _expect_the_input_without_parameters(block, x)
        cannot_tell(
            "The two halves of your block could not be found from outside; your teacher can look at them.",
            expected=FORMULA,
            staff_note="Neither the module calls nor the graph of operations show an attention and a feed forward.",
        )
    return found


def _expect_the_input_without_parameters(block: Remote, x: torch.Tensor) -> None:
    """With all parameters zero both branches are zero, and what is left is the shortcut."""
    block.assign({name: torch.zeros_like(value) for name, value in block.parameters().items()})
    output = block(x)
    if not same(output, x):
        fail(
            "With all parameters zero, your block does not return its input.",
            expected="The input, which both shortcuts pass on when both branches are zero.",
            tag="sublayer-unused" if not output.any() and not block.parameters() else "missing-skip",
        )


def expect_halves(found: BlockFound, tags: set[str] | None) -> None:
    """Both halves read as asked for, as far as these tags are concerned (None: the tags of no other check)."""
    for half, formula in ((found.first, FIRST), (found.second, SECOND)):
        mine = half.tag in tags if tags is not None else half.tag not in RAW | NORM | SHARED
        if mine and (half.tag is not None or half.text != formula):
            expect(found.as_one(half)).to_be(FORMULA)


# Loading and calling -------------------------------------------------------------------------------------------------


@check(
    points=0.5, concept="the interface", visible=True, hints=("Which names does `cfg` have, and how is a dict read?",)
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
        cfg = {**GPT2_SMALL, "emb_dim": shape[-1], "n_heads": count}
        output = (
            student.TransformerBlock(cfg).call(torch.linspace(-1, 1, torch.Size(shape).numel()).reshape(shape)).value
        )
        rows.append([str(shape), str(count), described(output)])
        student.show(table={"caption": "Shapes", "columns": ["input", "n_heads", "output"], "rows": list(rows)})
        expect(output).to_have_shape(shape, given=f"an input of shape {shape}")
        if output.dtype != torch.float64:
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
    block = student.TransformerBlock(config()).eval()
    draw.parameters(block)
    x = draw.input(3, 4, 12)
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
    found = taken_apart(student, draw)
    expect_halves(found, None)
    if found.text == FORMULA:
        student.computes(Formula(FORMULA, FORMULA, found.first.residual))


@check(points=2, concept="the shortcut", hints=("Which value does your variable hold by the time you add it?",))
def check_adds_the_raw_input(student: Student, draw: Draw) -> None:
    """What each half adds is its input as it came in, not the normalised one."""
    expect_halves(taken_apart(student, draw), RAW)


@check(points=3, concept="pre-norm", hints=("Write down what each sublayer gets, and what happens to its result.",))
def check_normalises_before_each_sublayer(student: Student, draw: Draw) -> None:
    """In both halves the sublayer gets the layer norm of the half's input, and nothing else is normalised."""
    found = taken_apart(student, draw)
    expect_halves(found, NORM)
    for sublayer, base in zip(found.anatomy.sublayers, found.bases, strict=False):
        norm = as_norm(sublayer.input, base)
        if norm is not None and norm.kind == "layer" and norm.eps != 1e-5:
            student.remark(f"Your norm uses eps={norm.eps:g}; LayerNorm uses 1e-5. That makes no difference here.")
    block = student.TransformerBlock(config()).eval()
    if not bool(torch.isfinite(block(torch.ones(2, 4, 12))).all()):
        fail(
            "Your block returns NaN when all features of a token are equal.",
            expected="A norm with a small eps under the root.",
            tag="norm-wrong-stat",
        )


@check(points=1.5, concept="pre-norm", hints=("Change the scale of one norm: which half of the output should follow?",))
def check_has_a_norm_for_each_half(student: Student, draw: Draw) -> None:
    """Each half has its own norm with a trainable scale and shift, and no block shares it with another."""
    found = taken_apart(student, draw)
    norms = [as_norm(s.input, base) for s, base in zip(found.anatomy.sublayers, found.bases, strict=False)]
    known = [norm for norm in norms if norm is not None]
    for norm in known:
        if not (is_trained(norm.weight) and is_trained(norm.bias)):
            block, x = student.TransformerBlock(config()), draw.input(2, 4, 12)
            expect_registered(block, block.call(x), block.call(x))
            fail(
                "A norm of your block has no trainable scale, or no shift, for each feature.",
                expected="LayerNorm(emb_dim) with its parameters.",
                tag="wrong-norm",
            )
    tied = any(gap(a.weight, b.weight) < 1e-6 or gap(a.bias, b.bias) < 1e-6 for a, b in pairwise(known))
    if found.second.tag in SHARED or tied:
        fail(
            "Both halves use one and the same norm." if found.second.tag in SHARED else "The norms share parameters.",
            expected="Two norms, one for each half.",
            tag="shared-norm",
            formula=Formula(found.text, FORMULA, half="both") if found.second.tag in SHARED else None,
        )
    _expect_independent_blocks(student, draw)


def _expect_independent_blocks(student: Student, draw: Draw) -> None:
    block, neighbour, x = (
        student.TransformerBlock(config()),
        student.TransformerBlock(config()).eval(),
        draw.input(2, 4, 12),
    )
    before, values = neighbour(x), block.parameters()
    if not same(neighbour(x), before):
        return  # random or made anew each time, which has its own check
    for tag, wanted in (("shared-layer", 2), ("shared-norm", 1)):
        block.assign({name: draw.normal(*value.shape) for name, value in values.items() if value.dim() == wanted})
        if not same(neighbour(x), before):
            fail(
                "Two blocks share a layer: changing one block changed the other.",
                expected="Own layers for each block.",
                tag=tag,
            )


# The parts -----------------------------------------------------------------------------------------------------------


@check(points=2, concept="attention", hints=("Change the last token only: which outputs may change?",))
def check_does_not_look_ahead(student: Student, draw: Draw) -> None:
    """No token's output depends on a later token (tried with random changes), and every one on the earlier ones."""
    block = student.TransformerBlock(config())
    draw.parameters(block)
    count = 9 if takes(block, 9) else 4
    x = draw.input(2, count, 12)
    for mode in (block.eval, block.train):  # nothing is dropped at a rate of 0
        output = output_of(mode(), x)
        if not same(output_of(block, x), output):
            return  # random in spite of that, which has its own check
        for token in range(1, count):
            changed = torch.cat([x[:, :token], draw.input(2, count - token, 12)], 1)
            if not same(output_of(block, changed)[:, :token], output[:, :token]):
                fail(
                    "Changing a token changed the output of tokens before it.",
                    expected="A causal mask: no token sees a later one, in training as in evaluation.",
                    tag="wrong-mask",
                )
        if gap(output_of(block, torch.cat([draw.input(2, 1, 12), x[:, 1:]], 1))[:, -1], output[:, -1]) < 1e-6:
            fail(
                "Changing the first token did not change the output of the last.",
                expected="Each token sees all earlier ones.",
                tag="wrong-mask",
            )


@check(
    points=1, concept="attention", hints=("What are the scores divided by, and what becomes of the heads' results?",)
)
def check_attends_as_asked(student: Student, draw: Draw) -> None:
    """Scores are divided by the root of the head size, and the heads' results go through an output projection."""
    seen = sublayer_in(*one_sequence(student, draw), "A")
    if seen is None or is_built_in(*seen):
        return  # another formula, which has its own check, or torch's own attention
    found = list(heads(*seen))
    for head in found:
        if head.scale is not None and not head.is_scaled:
            fail(
                f"The scores are multiplied by {head.scale:.3g}, with heads of size {head.size}.",
                expected="Scores divided by the root of the head size before the softmax.",
                tag="wrong-scale",
            )
        if head.values_are_keys:
            fail(
                "Your attention weighs the keys, not values of their own.",
                expected="Queries, keys and values, each by a projection of its own.",
                tag="wrong-sublayer",
            )
        if not is_projected(*seen, head):
            fail(
                "What the heads return is not projected by a layer of its own.",
                expected="An output projection after the heads are put side by side.",
                tag="wrong-sublayer",
            )
    if not found or any(head.scale is None for head in found):
        cannot_tell(
            "The scores of your attention could not be looked at from outside; your teacher can.",
            expected="Scores divided by the root of the head size before the softmax.",
            staff_note="No softmax over a product of queries and keys was seen in the block's operations.",
        )


@check(
    points=1.5,
    concept="feed forward",
    hints=("How wide is the feed forward inside, and what stands between its layers?",),
)
def check_has_the_feed_forward_asked_for(student: Student, draw: Draw) -> None:
    """The feed forward acts on each token alone, is four times as wide inside, and has a GELU there."""
    for bias in (True, False):
        found = take_apart(student, draw, qkv_bias=bias)
        for sublayer in found.anatomy.sublayers:
            if sublayer.kind == "F":
                feed_forward = feed_forward_of(sublayer)
                if len(feed_forward.layers) != 2:
                    feed_forward = replace(feed_forward, inside=_inside_the_feed_forward(student, draw))
                feed_forward.expect(width=48, student=student)


def _inside_the_feed_forward(student: Student, draw: Draw) -> list[torch.Tensor]:
    """All that it computes, where it is not made of two layers that are modules."""
    seen = sublayer_in(*one_sequence(student, draw), "F")
    if seen is None:
        return []
    graph, segment = seen
    return [value for number in segment.inside if (value := graph.value(number)) is not None]


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
    block = student.TransformerBlock(config()).eval()
    draw.parameters(block)
    expect_true_gradient(block, draw.input(2, 4, 12), draw, lambda: _cut_formula(*one_sequence(student, draw)))


def _cut_formula(block: Remote, x: torch.Tensor) -> Formula | None:
    cut = lost_in_block(block, x)
    return Formula(cut.text, FORMULA, half=cut.half) if cut is not None else None


@check(points=1.5, concept="depth", hints=("Which parameters have no `.grad` after a backward pass?",))
def check_stacks_twelve_deep(student: Student, draw: Draw) -> None:
    """Twelve blocks stack, and every parameter of every block receives a gradient."""
    blocks = [student.TransformerBlock(config(n_heads=2)) for _ in range(12)]
    out = draw.input(2, 4, 12).requires_grad_()
    for block in blocks:
        if any(not value.any() for value in block.parameters().values() if value.dim() > 1):
            fail(
                "A weight matrix of a new block is zero.",
                expected="The initial weights that the layers draw themselves.",
                tag="wrong-init",
            )
        out = output_of(block, out)
    if not bool(torch.isfinite(out).all()):
        fail("After twelve blocks the output is not finite.", expected="Finite numbers.", tag="not-finite")
    (out * draw.normal(2, 4, 12)).sum().backward()
    for number, block in enumerate(blocks, 1):
        missing = [name for name, gradient in block.gradients().items() if gradient is None]
        if missing:
            fail(
                f"In block {number} of 12 no gradient reaches `{missing[0][:60]}`.",
                expected="A gradient in every parameter.",
                tag="broken-gradient",
            )


# Dropout -------------------------------------------------------------------------------------------------------------


@check(points=2.5, concept="dropout", hints=("Let a sublayer return ones: which elements of the output changed?",))
def check_drops_from_both_branches(student: Student, draw: Draw) -> None:
    """In training, dropout with `drop_rate` acts on the result of each sublayer, before each sum."""
    layers = last_layers(*one_sequence(student, draw))
    seen = {kind: {rate: _dropped_after(student, draw, layers, kind, rate) for rate in (0.2, 0.7)} for kind in "AF"}
    found = dropped_block(seen["A"], seen["F"], lambda: _missing_between(student, draw))
    if found is None or not all(half.known for half in found):
        if taken_apart(student, draw).text != FORMULA:
            return  # another formula, which has its own check
        cannot_tell(
            "Dropout in your block could not be looked at from outside; your teacher can.",
            expected="In training, dropout with drop_rate on what each sublayer returns, before each sum.",
            staff_note="The attention and the feed forward could not be made to return a constant by their parameters.",
        )
    first = next((half for half in found if half.tag is not None), None)
    if first is not None:
        both = found[0].tag == found[1].tag
        known = [half.text for half in found if half.text is not None]
        text = f"h = {known[0]}; y = {known[1]}" if len(known) == 2 else None
        asked = f"h = {found[0].asked}; y = {found[1].asked}"
        blame_dropout(first, Formula(text, asked, half="both" if both else first.half))


def _dropped_after(
    student: Student, draw: Draw, layers: Sequence[LastLayer] | None, kind: str, rate: float
) -> Dropped | None:
    """What is dropped when this sublayer returns threes and the other zeros; None when they cannot be made to."""
    if layers is None:
        return None
    block = student.TransformerBlock(config(emb_dim=48, n_heads=4, drop_rate=rate, context_length=64))
    block.assign(silenced(layers, block.parameters(), kind, 3.0))
    return find_dropout(block, draw.input(100, 4, 48) + 20, 3.0)


def _missing_between(student: Student, draw: Draw) -> dict[str, float]:
    """The share of elements missing in training from what each sublayer gets, and from what is normalised."""
    block = student.TransformerBlock(config(emb_dim=48, n_heads=4, drop_rate=0.5))
    draw.parameters(block)
    parts = anatomy(block.train(), draw.input(2, 4, 48) + 20)
    normed = [norm.output for _, norm in parts.norms]
    missing = {
        kind: max((_dropped_from(one.input, normed) for one in parts.sublayers if one.kind == kind), default=0.0)
        for kind in ("A", "F")
    }
    second = parts.sublayers[1].at if len(parts.sublayers) > 1 else len(parts.norms)
    first = parts.sublayers[0].at if parts.sublayers else 0
    missing["x"] = max((_dropped_from(norm.input, [parts.x]) for at, norm in parts.norms if at < first), default=0.0)
    missing["h"] = max((_zeros(norm.input) for at, norm in parts.norms if first < at < second), default=0.0)
    return missing


def _zeros(values: torch.Tensor) -> float:
    return float((values == 0).double().mean())


def _dropped_from(values: torch.Tensor, sources: list[torch.Tensor]) -> float:
    """The share of zeros, if the other elements are those of a source, all times the same factor."""
    for source in sources:
        kept = (values / source)[values != 0] if source.shape == values.shape else values[:0]
        if kept.numel() and gap(kept, kept.flatten()[:1].expand_as(kept)) <= 1e-6:
            return _zeros(values)
    return 0.0


@check(points=1, concept="dropout", hints=("What does `.eval()` change, and which of your lines can know about it?",))
def check_is_quiet_in_eval_mode(student: Student, draw: Draw) -> None:
    """In evaluation mode the same input gives the same output."""
    expect_quiet(student.TransformerBlock(config(drop_rate=0.5)), draw.input(2, 4, 12))


# The rest of the contract ---------------------------------------------------------------------------------------------


@check(points=1.5, concept="the configuration", hints=("Search your class for numbers that are written out.",))
def check_follows_the_configuration(student: Student, draw: Draw) -> None:
    """Each key of cfg has its effect: qkv_bias, n_heads, context_length."""
    counts = [_numbers(student.TransformerBlock(config(qkv_bias=bias))) for bias in (True, False)]
    if counts[0] == counts[1]:
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


def _numbers(block: Remote) -> int:
    return sum(value.numel() for value in block.parameters().values())


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
    steps = block_steps(block, draw.input(2, 4, 12))
    return replay(block, steps, whole=steps[-1].name.startswith("y"))
