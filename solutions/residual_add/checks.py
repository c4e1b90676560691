"""Hidden checks of ResidualAdd: `x + Dropout(F(Norm(x)))`."""

import math
from collections.abc import Sequence
from dataclasses import replace

import torch

from grader.checks import (
    Arrived,
    Draw,
    Dropped,
    DroppedHalf,
    Formula,
    Identified,
    Leaf,
    Path,
    Probe,
    Remote,
    Row,
    Step,
    Student,
    StudentRaised,
    as_norm,
    cannot_tell,
    check,
    described,
    dropped,
    expect,
    expect_dropout,
    expect_input_kept,
    expect_plain_norm,
    expect_quiet,
    expect_registered,
    expect_state,
    fail,
    feed_forward_of,
    find_dropout,
    gap,
    identify,
    identify_block,
    is_trained,
    lost_at,
    replay,
    same,
    works,
)

FORMULA = "x + F(Norm(x))"
FIRST, SECOND = "x + A(Norm1(x))", "h + F(Norm2(h))"
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


def identified(student: Student, draw: Draw, shape: tuple[int, ...] = (4, 6, 8)) -> Identified:
    """The formula of a block in evaluation mode, all parameters random."""
    return student.once(f"formula for {shape}", lambda: _identified(student, draw, shape))


def _identified(student: Student, draw: Draw, shape: tuple[int, ...]) -> Identified:
    probe = Probe(draw.map(8))
    block, before = student.ResidualAdd(8, probe, 0.0).eval(), draw.input(*shape)
    draw.parameters(block)
    block(before)
    called = len(probe.calls)
    found = identify(block, draw.input(*shape), probe, {"x[first call]": before})
    found = replace(found, tag=_norm_by_name(block, found.tag))
    return replace(found, tag="sublayer-twice") if len(probe.calls) > called + 1 and found.text == FORMULA else found


def _norm_by_name(block: Remote, tag: str | None) -> str | None:
    """Statistics over other axes than the features' have a name of their own where torch's module does it."""
    if tag != "norm-wrong-axis":
        return tag
    _, calls = block.trace(torch.linspace(-1, 1, 192).reshape(4, 6, 8))
    named = any(call.kind.startswith(("GroupNorm", "InstanceNorm", "BatchNorm")) for call in calls)
    return "wrong-norm" if named else tag


# Loading and calling -------------------------------------------------------------------------------------------------


@check(
    points=1,
    concept="the interface",
    visible=True,
    hints=(
        "Compare your `def` lines with the stub's, name by name.",
        "Run the example of the docstring: at which line does it stop?",
    ),
)
def check_takes_the_arguments(student: Student) -> None:
    """ResidualAdd(dim, sublayer, dropout=0.1) can be built, and called with one tensor."""
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
    x = 20 + torch.linspace(-1, 1, 20_000).reshape(400, 50)
    value = student.ResidualAdd(50, student.build("torch.nn.Linear", 50, 50)).call(x).value
    if (
        not isinstance(value, torch.Tensor)
        or (value.shape, value.dtype) != (x.shape, x.dtype)
        or not value.isfinite().all()
    ):
        return  # another result, which has its own check
    default, given = _dropped(student, x, {0.1: ()}), _dropped(student, x, {0.1: (0.1,)})
    if given.tag is None and default.tag in ("missing-dropout", "dropout-rate-ignored"):
        fail(
            "Without the argument `dropout`, the rate of your block is not 0.1.",
            expected="ResidualAdd(dim, sublayer, dropout=0.1)",
            tag="wrong-signature",
        )


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
        if isinstance(output, torch.Tensor) and output.shape == torch.Size(size for size in shape if size != 1):
            _expect_no_squeeze(student, shape)
        expect(output).to_have_shape(shape, given=f"an input of shape {shape}")
        if output.dtype != torch.float64:
            fail(
                "Your block turned a float64 input into another number type.",
                expected="The number type of the input.",
                tag="wrong-dtype-device",
            )


def _expect_no_squeeze(student: Student, shape: tuple[int, ...]) -> None:
    """Axes of size 1 are lost; whether there is more to it shows where there is none."""
    if 1 not in shape:
        return
    x = torch.linspace(-1, 1, 192).reshape(4, 6, 8)
    probe = Probe(lambda h: torch.tanh(h) + h.flip(-1))
    found = identify(student.ResidualAdd(8, probe, 0.0).eval(), x, probe)
    fail(
        f"For an input of shape {shape} your block returned a tensor without the axes of size 1.",
        expected=f"The shape {shape}.",
        tag="wrong-return",
        formula=Formula(f"squeeze({found.text})", FORMULA) if found.text else None,
    )


@check(points=1, concept="side effects", hints=("Print x before and after the call.",))
def check_leaves_the_input_alone(student: Student, draw: Draw) -> None:
    """The caller's tensor is the same after the call as before."""
    expect_input_kept(student.ResidualAdd(8, Probe(draw.map(8)), 0.3), draw.input(2, 5, 8))


# The formula ---------------------------------------------------------------------------------------------------------


@check(
    points=3,
    concept="the shortcut",
    hints=(
        "What should come out if the sublayer returns only zeros?",
        "Try a sublayer that counts how often it is called.",
    ),
)
def check_adds_the_input_back(student: Student, draw: Draw) -> None:
    """The block adds its input to what the sublayer returns."""
    for shape in ((4, 6, 8), (30, 8), (2, 3, 5, 8)):
        found = identified(student, draw, shape)
        if found.tag == "sublayer-twice" and found.text == FORMULA:
            fail("Your block runs the sublayer more than once for one input.", expected="One call.", tag=found.tag)
        if found.tag not in RAW | NORM:
            expect(found).to_be(FORMULA)
        if found.tag is not None:
            return  # another check says so
    if found.text == FORMULA:
        student.computes(Formula(FORMULA, FORMULA, found.residual))


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
    view = draw.input(3, 8, 5).transpose(1, 2)
    if not works(lambda: student.ResidualAdd(8, Probe(draw.map(8)), 0.0).eval().call(view)):
        student.remark("Your block raises an error for a transposed view; `.reshape` takes one where `.view` does not.")


def _expect_a_layer_norm(student: Student, draw: Draw) -> None:
    probe, x = Probe(draw.map(8)), draw.input(4, 6, 8)
    student.ResidualAdd(8, probe, 0.3).eval()(x)
    if not probe.calls:
        fail("The sublayer is never called.", expected="The sublayer, called once on Norm(x).", tag="sublayer-unused")
    found = as_norm(probe.calls[0].input, x)
    if found is not None and found.kind == "layer":
        if found.residual > 1e-9:
            student.remark("Your norm differs from nn.LayerNorm by less than a thousandth; that costs no points.")
        elif found.eps not in (1e-5, 0.0):
            student.remark(f"Your norm uses eps={found.eps:g}; nn.LayerNorm uses 1e-5. That makes no difference here.")
        expect_plain_norm(found)
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
    neighbour(x)
    draw.parameters(block)
    block(x)
    norm = as_norm(probe.calls[-1].input, x) if probe.calls else None
    if norm is not None and not (is_trained(norm.weight) and is_trained(norm.bias)):
        fail(
            "Your block has no trainable scale, or no shift, for each feature.",
            expected="nn.LayerNorm(dim) with its parameters.",
            tag="wrong-norm",
        )
    neighbour(x)
    if other.calls and gap(other.calls[-1].input, other.calls[0].input) > 0:
        fail(
            "Two blocks share one norm: changing one changed the other.",
            expected="A norm for each block, made in `__init__`.",
            tag="shared-norm",
        )


# Learning -------------------------------------------------------------------------------------------------------------


@check(
    points=2, concept="parameters", hints=("Count `sum(p.numel() for p in block.parameters())` for a known sublayer.",)
)
def check_registers_the_sublayer(student: Student, draw: Draw) -> None:
    """`parameters()` lists the sublayer's parameters, so that an optimiser can train them."""
    block = student.ResidualAdd(8, student.build("torch.nn.Linear", 8, 8), 0.1)
    x = draw.input(2, 5, 8)
    expect_registered(block, block.call(x), block.call(x))
    if _computes_with_a_copy(student, x):
        fail(
            "Your block works with a copy of the sublayer, so the one that was handed in is never trained.",
            expected="The sublayer itself, kept as an attribute.",
            tag="wrong-sublayer",
        )


def _computes_with_a_copy(student: Student, x: torch.Tensor) -> bool:
    """Whether a change of the sublayer that was handed in leaves the block as it was."""
    linear = student.build("torch.nn.Linear", 8, 8)
    block = student.ResidualAdd(8, linear, 0.0).eval()
    before = block.call(x)
    # Another change for each feature: a norm of the result would take away what all have in common.
    values = linear.parameters().items()
    linear.assign({name: value + torch.linspace(-1, 1, value.numel()).view_as(value) for name, value in values})
    after = block.call(x).value
    kept = isinstance(before.value, torch.Tensor) and same(after, before.value)
    return kept and any(leaf.shape == (8, 8) for leaf in block.leaves(before))


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
    _expect_branch_gradient(student, draw, x, cotangent)
    gradient = flat.gradient(x, cotangent).input
    if not same(gradient, cotangent):
        fail(
            "With a sublayer that ignores its input, the gradient does not arrive unchanged.",
            expected="The shortcut passes the gradient on with factor 1.",
            tag="broken-gradient",
        )


def _expect_branch_gradient(student: Student, draw: Draw, x: torch.Tensor, cotangent: torch.Tensor) -> None:
    probe = Probe(draw.map(8))
    block = student.ResidualAdd(8, probe, 0.0).eval()
    draw.parameters(block)
    found = block.gradient(x, cotangent)
    norm = as_norm(probe.calls[0].input, x) if probe.calls else None
    if norm is None or norm.kind != "layer":
        return  # another formula, which has its own check
    leaf = x.clone().requires_grad_()
    ((leaf + probe.function(norm.apply(leaf))) * cotangent).sum().backward()
    lost = [name for name, value in found.parameters.items() if value is None]
    if lost or found.input is None or leaf.grad is None or not same(found.input, leaf.grad):
        half = Path(norm.apply, probe.function)
        reached = {(0, "sublayer"): _reaches_the_sublayer(student, x, cotangent), (0, "norm"): not lost}
        cut = lost_at([half], x, cotangent, Arrived(found.input, reached))
        fail(
            "The output is right, but on the way back a part of the gradient is lost.",
            expected="Gradients through the norm, the sublayer and the shortcut.",
            tag="broken-gradient",
            formula=Formula(half.text(cut[0]), FORMULA) if cut else None,
        )


def _reaches_the_sublayer(student: Student, x: torch.Tensor, cotangent: torch.Tensor) -> bool:
    linear = student.build("torch.nn.Linear", 8, 8)
    student.ResidualAdd(8, linear, 0.0).eval().gradient(x, cotangent)
    return any(gradient is not None for gradient in linear.gradients().values())


# Dropout --------------------------------------------------------------------------------------------------------------


@check(points=2, concept="dropout", hints=("Let the sublayer return ones: which elements of the output changed?",))
def check_drops_from_the_branch_only(student: Student, draw: Draw) -> None:
    """In training, dropout acts on the sublayer's result only, with the given rate (false alarm below 1e-9)."""
    x = draw.input(400, 50) + 20
    expect_dropout(_dropped(student, x, {0.2: (0.2,), 0.7: (0.7,)}))
    expect_dropout(_dropped(student, x, {0.4: (0.4,)}, scale=1.0))


def _dropped(
    student: Student, x: torch.Tensor, rates: dict[float, tuple[float, ...]], **keywords: float
) -> DroppedHalf:
    """What is dropped at each rate, given by these arguments, when the sublayer returns threes."""
    seen, inside = {}, None
    for rate, arguments in rates.items():
        probe = Probe(lambda h, **_: 3.0 + 0.0 * h)
        seen[rate] = find_dropout(student.ResidualAdd(50, probe, *arguments), x, 3.0, **keywords)
        if len(probe.calls) > 1 and (before := probe.calls[0].input).shape == (after := probe.calls[-1].input).shape:
            inside = _inside(before, after)
    return DroppedHalf(seen, inside=inside)


def _inside(before: torch.Tensor, after: torch.Tensor) -> str | None:
    """How the branch reads when the sublayer gets something else in training; `before` is what it got in evaluation."""
    if gap(after, before) <= 1e-6:
        return None
    kept = after[after.abs() > 1e-9] / before[after.abs() > 1e-9]
    elements = kept.numel() > 0 and gap(kept, kept.median().expand_as(kept)) <= 1e-6
    return "F(Dropout(Norm(x)))" if elements else "F(Norm(Dropout(x)))"


@check(points=1, concept="dropout", hints=("What does `.eval()` change, and which of your lines can know about it?",))
def check_is_quiet_in_eval_mode(student: Student, draw: Draw) -> None:
    """In evaluation mode the same input gives the same output."""
    expect_quiet(student.ResidualAdd(8, Probe(draw.map(8)), 0.5), draw.input(4, 6, 8), lambda: _in_eval(student, draw))


def _in_eval(student: Student, draw: Draw) -> Formula:
    """The formula of a block that is random in evaluation mode."""
    x = draw.input(400, 50) + 20
    output = student.ResidualAdd(50, Probe(lambda h: 3.0 + 0.0 * h), 0.3).eval()(x)
    seen = dropped(output, x, 3.0) if output.shape == x.shape else Dropped("unknown")
    return Formula(DroppedHalf({0.3: seen}).text, FORMULA)


# The rest of the contract ---------------------------------------------------------------------------------------------


@check(
    points=1,
    concept="the interface",
    hints=("Where do the `**kwargs` of forward go?", "Call your block with a sublayer that prints what it is given."),
)
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
    found = identify(block, x, probe, keywords={"scale": 2.0})
    if found.tag is not None and identify(block, x, probe).tag is None:
        expect(found).to_be(FORMULA)


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
            x = draw.input(2, 5, 8).to(getattr(torch, dtype))
            if not works(lambda mode=mode, x=x: mode().call(x)) and dtype == "float64":
                mode().call(x)
            expect_state(student, seed=1234, dtype=dtype)


# TinyBlock, a part ----------------------------------------------------------------------------------------------------

TINY = f"h = {FIRST}; y = {SECOND}"


@check(
    points=1,
    concept="shapes",
    visible=True,
    part="TinyBlock",
    hints=("What does each half return, one or two things?",),
)
def check_a_tiny_block_keeps_the_shape(student: Student) -> None:
    """TinyBlock(64, 4) takes a tensor of shape (2, 16, 64) and returns another one of the same shape."""
    student.show(inputs=[["block", "TinyBlock(64, 4)"], ["x", "torch.linspace(-1, 1, 2048).reshape(2, 16, 64)"]])
    rows: list[list[str]] = []
    for size, heads, shape in ((64, 4, (2, 16, 64)), (32, 2, (3, 5, 32)), (64, 4, (1, 1, 64))):
        x = torch.linspace(-1, 1, torch.Size(shape).numel()).reshape(shape)
        output = student.TinyBlock(size, heads).eval().call(x).value
        rows.append([f"TinyBlock({size}, {heads})", str(shape), described(output)])
        student.show(table={"caption": "Shapes", "columns": ["block", "input", "output"], "rows": list(rows)})
        expect(output).to_have_shape(shape, given=f"an input of shape {shape}")
        if output.dtype != x.dtype:
            fail(
                "Your block turned a float64 input into another number type.",
                expected="The number type of the input.",
                tag="wrong-dtype-device",
            )
        if same(output, x):
            fail(
                "Your block returns its input as it came in.",
                expected="The input with what attention and feed forward add to it.",
                tag="sublayer-unused",
            )
    if not works(lambda: student.TinyBlock().call(torch.ones(1, 2, 64))):
        student.remark("`TinyBlock()` cannot be built; the task says TinyBlock(d_model=64, nhead=4).")


@check(
    points=2,
    concept="parameters",
    part="TinyBlock",
    hints=("What does `parameters()` know of a module that only a lambda holds?",),
)
def check_a_tiny_block_registers_what_it_uses(student: Student, draw: Draw) -> None:
    """`parameters()` of a TinyBlock lists everything that it uses, and a gradient arrives at all of it."""
    block, x = student.TinyBlock(64, 4), draw.input(2, 16, 64)
    expect_registered(block, block.call(x), block.call(x), lambda unseen: _hidden_in_tiny(unseen, 64))
    block.eval()
    draw.parameters(block)
    gradients, before = block.gradient(x, draw.normal(2, 16, 64)).parameters, block(x)
    for name in (name for name, gradient in gradients.items() if gradient is None):
        value = block.parameters()[name]
        block.assign({name: value + draw.normal(*value.shape)})
        if not same(block(x), before):
            fail(
                f"Your TinyBlock uses the parameter `{name[:60]}`, and no gradient arrives there.",
                expected="Gradients for all parameters.",
                tag="broken-gradient",
            )
        student.remark(f"Your TinyBlock has a parameter that it does not use: `{name[:60]}`.")


def _hidden_in_tiny(unseen: Sequence[Leaf], size: int) -> str:
    """Whose parameters these are: "attention has 16,640 parameters"."""
    square = {(size,), (size, size), (3 * size,), (3 * size, size)}
    attention = {(size, size), (3 * size, size)} & {leaf.shape for leaf in unseen}
    others = any(leaf.shape not in square and math.prod(leaf.shape) > size for leaf in unseen)
    count = f"{sum(math.prod(leaf.shape) for leaf in unseen):,} parameters"
    if attention and others:
        return f"attention and feed forward have {count}"
    return f"{'attention' if attention else 'feed forward' if others else 'TinyBlock'} has {count}"


@check(
    points=2,
    concept="the shortcut",
    part="TinyBlock",
    hints=("Follow one token: where does it meet the others, and which two sums does it go through?",),
)
def check_a_tiny_block_attends_and_then_feeds_forward(student: Student, draw: Draw) -> None:
    """A TinyBlock attends over the tokens of each sequence, then feeds forward with GELU, each with its shortcut."""
    if identified(student, draw).tag is not None:
        return  # ResidualAdd itself is another formula, which has its own check
    block, x = student.TinyBlock(12, 3).eval(), draw.input(16, 4, 12)
    draw.parameters(block)
    output = block(x)
    if output.shape != x.shape or any(leaf.name is None for leaf in block.leaves(block.call(x))):
        return  # has its own check; and `.eval()` does not reach what is not registered
    expect_quiet(block, x)
    alone = torch.cat([draw.input(1, 4, 12), x[1:]])
    if not same(block(alone)[1:], output[1:]):
        fail(
            "Changing one sequence of the batch changed the output for the others.",
            expected="Attention along the tokens: the first axis is the batch.",
            tag="attention-wrong-axis",
        )
    found = identify_block(block, x)
    if found is None or (found.text is None and not {"A", "F"} <= set(found.anatomy.order)):
        cannot_tell(
            "The two halves of your TinyBlock could not be found from outside; your teacher can look at them.",
            expected=TINY,
            staff_note="Neither the module calls nor the graph of operations show an attention and a feed forward.",
        )
    for half, formula in ((found.first, FIRST), (found.second, SECOND)):
        if half.tag is not None or half.text != formula:
            expect(found.as_one(half)).to_be(TINY)
    for sublayer in found.anatomy.sublayers:
        if sublayer.kind == "F":
            feed_forward_of(sublayer).expect(width=48, student=None)


# For the page ---------------------------------------------------------------------------------------------------------


def show_steps(student: Student, draw: Draw) -> tuple[Row, ...]:
    """The steps of a new block in evaluation mode, around an nn.Linear: 2 sequences of 4 tokens, 8 numbers each."""
    x, sublayer = draw.input(2, 4, 8), student.build("torch.nn.Linear", 8, 8)
    block = student.ResidualAdd(8, sublayer, 0.0).eval()
    normed = torch.nn.functional.layer_norm(x, (8,))
    changed = sublayer(normed)
    steps = [Step("x", x), Step("Norm(x)", normed), Step("F(Norm(x))", changed), Step(FORMULA, x + changed)]
    return replay(block, steps)
