"""The forward pass on the page: what each expression made, which step of the exercise that is, where it deviates."""

import json
from pathlib import Path

import pytest

from grader.model.course import load_course

ROOT = Path(__file__).parents[2]
SOLUTIONS = ROOT / "solutions"
RESIDUAL = ["x", "Norm(x)", "F(Norm(x))", "x + F(Norm(x))"]
BLOCK = ["x", "Norm1(x)", "A(Norm1(x))", "h = x + A(Norm1(x))", "Norm2(h)", "F(Norm2(h))", "y = h + F(Norm2(h))"]
NETWORK = [
    f"{step} in layer {n}" for n in range(1, 5) for step in ("Linear(x)", "GELU(Linear(x))", "x + GELU(Linear(x))")
]
NETWORK = ["x", *NETWORK, "Linear(x) in layer 5", "GELU(Linear(x)) in layer 5"]


@pytest.fixture(scope="module")
def replayed(grade):
    """Makes the trace of a file of the repository, or of a source."""

    def trace(exercise, source, name=None):
        text = (ROOT / source).read_text(encoding="utf-8") if source.endswith(".py") else source
        record = grade({name or f"{exercise}.py": text}, course=load_course(SOLUTIONS), only=(exercise,))
        return record.exercises[0].trace

    return trace


def steps(trace):
    """The steps of the exercise in the order in which they were reached."""
    return list(dict.fromkeys(row["step"] for row in trace if row["step"]))


def deviation(trace):
    """(what made it, the step that stands there in the exercise) of the row that is marked."""
    marked = [(row["made"], row["expected"]["step"]) for row in trace if row["expected"]]
    assert len(marked) <= 1
    return marked[0] if marked else None


@pytest.mark.parametrize(
    ("exercise", "wanted"), [("residual_add", RESIDUAL), ("transformer_block", BLOCK), ("deep_network", NETWORK)]
)
def test_the_solution_goes_through_all_steps(exercise, wanted, replayed):
    trace = replayed(exercise, f"solutions/{exercise}/solution.py")

    assert steps(trace) == wanted
    assert deviation(trace) is None


@pytest.mark.parametrize(
    ("exercise", "source"),
    [
        ("residual_add", "solutions/residual_add/rewrites/own_layer_norm.py"),
        ("transformer_block", "tests/cases/transformer_block/correct/checkpointed_feed_forward.py"),
        ("deep_network", "solutions/deep_network/rewrites/recursion.py"),
    ],
)
def test_a_right_file_deviates_nowhere(exercise, source, replayed):
    trace = replayed(exercise, source)

    assert len(trace) > 1
    assert deviation(trace) is None


@pytest.mark.parametrize(
    ("exercise", "mistake", "made", "step"),
    [
        ("residual_add", "solutions/residual_add/mistakes/missing_skip", None, "x + F(Norm(x))"),
        ("residual_add", "solutions/residual_add/mistakes/post_norm", "self.sublayer(x, **kwargs)", "Norm(x)"),
        ("residual_add", "solutions/residual_add/mistakes/skip_after_norm_saved", "x + shortcut", "x + F(Norm(x))"),
        ("transformer_block", "solutions/transformer_block/mistakes/missing_skip_attn", "self.ln_2(a)",
         "h = x + A(Norm1(x))"),
        ("transformer_block", "tests/cases/transformer_block/wrong/missing_skip_ffn", None, "y = h + F(Norm2(h))"),
        ("deep_network", "solutions/deep_network/mistakes/wrong_activation_relu", "layer(x)",
         "GELU(Linear(x)) in layer 1"),
    ],
)  # fmt: skip
def test_the_first_deviation_is_marked(exercise, mistake, made, step, replayed):
    assert deviation(replayed(exercise, f"{mistake}.py")) == (made, step)


def test_a_row_says_where_it_stands_and_what_is_there(replayed, right):
    row = replayed("residual_add", right)[1]

    assert right.split("\n")[row["line"] - 1].strip() == row["code"]
    assert row["made"] == "self.norm(x)"
    assert row["shape"] == [2, 4, 8]
    assert row["mean"] == pytest.approx(0, abs=1e-6)
    assert row["std"] == pytest.approx(1, abs=1e-3)


def test_steps_inside_of_another_function_are_shown_with_their_own_place(replayed, forward):
    source = forward("return self._all(x)") + (
        "\n    def _all(self, x):\n        return x + self.drop(self.sublayer(self.norm(x)))\n"
    )

    trace = replayed("residual_add", source)

    assert steps(trace) == RESIDUAL
    assert [row["made"] for row in trace][1:] == ["self.norm(x)", "self.sublayer(self.norm(x))", "self._all(x)"]


def test_places_in_a_notebook_name_the_cell(replayed, right):
    code = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    cells = [{**code, "id": f"c{n}", "source": source} for n, source in enumerate(("# nothing", right))]
    notebook = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})

    trace = replayed("residual_add", notebook, "residual_add.ipynb")

    assert {row["cell"] for row in trace[1:]} == {2}


@pytest.mark.parametrize("body", ["raise ValueError(1)", "import os; os._exit(1)"])
def test_where_nothing_can_be_replayed_there_is_no_trace(body, replayed, forward):
    assert replayed("residual_add", forward(body)) == ()


def test_a_forward_that_computes_nothing_lacks_the_first_step(replayed, forward):
    assert deviation(replayed("residual_add", forward("return None"))) == (None, "Norm(x)")


def test_a_long_loop_is_cut(replayed, forward):
    source = forward("for _ in range(300):", "    x = x * 1.01", "    x = x + 0.001", "return x")

    trace = replayed("residual_add", source)

    assert len(trace) == 60
    assert deviation(trace) == ("x * 1.01", "Norm(x)")


def test_an_author_who_errs_costs_no_points(grade, course_with, right):
    """`show_steps` is for the page: what it raises goes to staff."""
    course = course_with("def show_steps(student, draw):\n    return 1 / 0\n")

    record = grade(right, course=course)

    assert record.points == record.max_points
    assert "ZeroDivisionError" in record.staff["notes"]["residual_add.show_steps"]


@pytest.fixture
def course_with(tmp_path, residual_course):
    """Makes a course with one check that always passes, and further lines in checks.py."""

    def make(lines):
        root = tmp_path / "course"
        (root / "residual_add").mkdir(parents=True)
        source = Path(residual_course.root)
        for name in ("course.toml", "previous_chapters.py", "residual_add/exercise.toml", "residual_add/solution.py"):
            (root / name).write_bytes((source / name).read_bytes())
        check = "from grader.checks import check\n@check(points=1, concept='x')\ndef check_it(student): pass\n"
        (root / "residual_add" / "checks.py").write_text(f"{check}{lines}")
        return load_course(root)

    return make
