"""Whatever the widths, shapes, number types and seeds: the solutions and all right files pass.

The course's own checks are tried on course seeds that hypothesis draws. The tools that checks are made of are tried in
checks written for the purpose, with sizes that hypothesis draws. Formulas are named in float64, as checks do it;
float32 is compared at its own precision.
"""

import shutil
from pathlib import Path

import msgspec
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from bench.submissions import known
from grader.intake import accept
from grader.model.course import load_course
from grader.model.job import Job
from grader.pipeline import judge

SOLUTIONS = Path(__file__).parents[2] / "solutions"
COURSE = load_course(SOLUTIONS)
# Not shrunk: an example takes a judge half a second, and what fails says its sizes anyway.
SAME_EACH_TIME = settings(
    derandomize=True, deadline=None, database=None, max_examples=8, phases=(Phase.explicit, Phase.generate)
)
HEAD = "import torch\nfrom grader.checks import *\n\n\n"


def right_files(name):
    return st.sampled_from([SOLUTIONS / name / "solution.py", *known(name, are_right=True)])


@pytest.fixture(scope="module")
def lost(line):
    """Every check of a course that a file of an exercise does not pass, with what was said."""

    def not_passed(course, name, path):
        submission = accept(path, course, only=(name,))
        (result,) = judge(line, Job(course, submission), lambda _: None).results
        return [(one.name, one.happened, one.staff_note) for one in result.checks if one.verdict != "passed"]

    return not_passed


@pytest.fixture(scope="module")
def lost_by(lost, tmp_path_factory):
    """The same for checks written for the purpose, in a course of their own."""

    def not_passed(path, *checks):
        name = next(exercise.name for exercise in COURSE.exercises if exercise.name in path.parts[-3:])
        root = tmp_path_factory.mktemp("course") / "solutions"
        shutil.copytree(SOLUTIONS / name, root / name, ignore=shutil.ignore_patterns("mistakes", "rewrites", "__*"))
        shutil.copy(SOLUTIONS / "previous_chapters.py", root)
        (root / "course.toml").write_text(f'name = "One"\nexercises = ["{name}"]\nseed = "a seed"\n')
        (root / name / "checks.py").write_text(HEAD + "\n\n".join(checks))
        return lost(load_course(root), name, path)

    return not_passed


def a_check(name, *lines):
    """The source of a check."""
    body = "".join(f"    {line}\n" for line in lines)
    return f'@check(points=1, concept="any")\ndef check_{name}(student, draw):\n    """It passes."""\n{body}'


# Course seeds ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [exercise.name for exercise in COURSE.exercises])
def test_right_files_pass_on_every_course_seed(name, lost):
    @SAME_EACH_TIME
    @given(seed=st.text(min_size=1), path=right_files(name))
    def holds(seed, path):
        assert lost(msgspec.structs.replace(COURSE, seed=seed), name, path) == []

    holds()


# ResidualAdd ----------------------------------------------------------------------------------------------------------

ROWS = st.lists(st.integers(1, 5), min_size=1, max_size=3).filter(lambda shape: 8 <= _size(shape) <= 60)
RATES = st.sampled_from([0.05, 0.1, 0.25, 0.4, 0.6, 0.8])


def _size(shape):
    product = 1
    for number in shape:
        product *= number
    return product


@SAME_EACH_TIME
@given(dim=st.integers(3, 24), rows=ROWS, rate=RATES, path=right_files("residual_add"))
def test_residual_add_is_recognised_at_any_width_and_shape(lost_by, dim, rows, rate, path):
    build = f"block = student.ResidualAdd({dim}, probe, 0.0).eval()"
    x = f"x = draw.input({', '.join(map(str, rows))}, {dim})"
    probe = f"probe = Probe(draw.map({dim}))"
    found = lost_by(
        path,
        a_check("formula", probe, build, x, "draw.parameters(block)",
                'expect(identify(block, x, probe)).to_be("x + F(Norm(x))")'),
        a_check("gradient", probe, build, x, "draw.parameters(block)", "expect_true_gradient(block, x, draw)"),
        a_check("input", probe, build, x, "expect_input_kept(block, x)", "expect_quiet(block, x)"),
        a_check("dropout", "probe = Probe(lambda h, **_: 3.0 + 0.0 * h)",
                f"block = student.ResidualAdd({dim}, probe, {rate})",
                f"found = find_dropout(block, draw.input({4000 // dim}, {dim}) + 20, 3.0)",
                f"assert found.place == 'branch' and found.branch.has_rate({rate}), found"),
    )  # fmt: skip

    assert found == []


@SAME_EACH_TIME
@given(dim=st.integers(3, 24), rows=ROWS, path=right_files("residual_add"))
def test_residual_add_computes_the_formula_in_float32(lost_by, dim, rows, path):
    found = lost_by(
        path,
        a_check("numbers", 'student.begin(1, "float32")', f"probe = Probe(draw.map({dim}))",
                f"block = student.ResidualAdd({dim}, probe, 0.3).eval()",
                f"x = draw.input({', '.join(map(str, rows))}, {dim}).float()",
                f"normed = torch.nn.functional.layer_norm(x, ({dim},)).double()",
                "wanted = (x.double() + probe.function(normed)).float()",
                "output = block(x)", "assert output.dtype == torch.float32",
                'expect(output).to_equal('
                'wanted, happened="other numbers", expected="the formula", tag="unknown-formula")'),
    )  # fmt: skip

    assert found == []


# ExampleDeepNeuralNetwork ---------------------------------------------------------------------------------------------


@SAME_EACH_TIME
@given(
    sizes=st.lists(st.integers(1, 6), min_size=6, max_size=6),
    rows=st.integers(1, 7),
    kind=st.tuples(st.booleans(), st.sampled_from(["float64", "float32"])),
    path=right_files("deep_network"),
)
def test_a_deep_network_of_any_sizes_passes(lost_by, sizes, rows, kind, path):
    shortcut, dtype = kind
    build = f"net = student.ExampleDeepNeuralNetwork({sizes}, {shortcut})"
    found = lost_by(
        path,
        a_check("gradient", build, f"x = draw.input({rows}, {sizes[0]})", "net(x)", "draw.parameters(net)",
                f"wide = draw.normal({rows}, {sizes[-1]})", "found = net.gradient(x, wide)",
                "assert found.input.shape == x.shape"),
        a_check("contract", f'student.begin(1, "{dtype}")', build,
                f"x = draw.input({rows}, {sizes[0]}).to(torch.{dtype})", "expect_input_kept(net, x)",
                "expect_quiet(net, x)", "expect_registered(net, net.call(x), net.call(x))",
                f'expect(net(x)).to_have_shape(({rows}, {sizes[-1]}), given="any input")',
                f'expect_state(student, seed=1, dtype="{dtype}")'),
    )  # fmt: skip

    assert found == []


# TransformerBlock -----------------------------------------------------------------------------------------------------


@st.composite
def configurations(draw):
    heads = draw(st.integers(1, 4))
    tokens = draw(st.integers(3, 6))  # of two, one sees nothing but itself: too few to tell attention by
    return {
        "emb_dim": heads * draw(st.integers(max(2, -(-6 // heads)), 6)),
        "context_length": tokens + draw(st.integers(0, 5)),
        "n_heads": heads,
        "drop_rate": 0.0,
        "qkv_bias": draw(st.booleans()),
    }, (draw(st.integers(4, 8)), tokens)


@SAME_EACH_TIME
@given(configured=configurations(), path=right_files("transformer_block"))
def test_a_transformer_block_is_recognised_at_any_size(lost_by, configured, path):
    cfg, (batch, tokens) = configured
    build = f"block = student.TransformerBlock({cfg}).eval()"
    x = f"x = draw.input({batch}, {tokens}, {cfg['emb_dim']})"
    found = lost_by(
        path,
        a_check("formula", build, x, "draw.parameters(block)", "found = identify_block(block, x)",
                'expect(found.first).to_be("x + A(Norm1(x))")', 'expect(found.second).to_be("h + F(Norm2(h))")'),
        a_check("gradient", build, x, "draw.parameters(block)", "expect_true_gradient(block, x, draw)"),
        a_check("contract", 'student.begin(1, "float32")', build, x, "x = x.float()", "expect_input_kept(block, x)",
                "expect_quiet(block, x)", "expect_registered(block, block.call(x), block.call(x))",
                "assert block(x).dtype == torch.float32", 'expect_state(student, seed=1, dtype="float32")'),
    )  # fmt: skip

    assert found == []
