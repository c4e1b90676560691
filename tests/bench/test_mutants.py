"""The mutation check itself: its operators, its oracle, and what it concludes; then some mutants of each solution."""

import ast
import random
from itertools import islice
from pathlib import Path

import msgspec
import pytest
import torch

from bench.mutants import Needed, Question, Tried, needed, oracle_of, told, told_of, totals, tried
from bench.mutation import difference, first_order, mutants, reason
from bench.operators import OPERATORS
from bench.oracle import Oracle
from bench.scenes import Counting, Scene
from grader.authoring.proof import Coverage, ExerciseProof, Judged, Lost, Seen
from grader.model.course import load_course

SOLUTIONS = Path(__file__).parents[2] / "solutions"
COURSE = load_course(SOLUTIONS)
SOURCE = '''\
import torch
from torch import nn

SEED = 1


class Block(nn.Module):
    """Adds 1."""

    def __init__(self, dim: int, sublayer, rate: float = 0.1) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.drop = nn.Dropout(rate)
        self.sublayer = sublayer

    def forward(self, x, **kwargs):
        return x + self.drop(self.sublayer(self.norm(x), **kwargs))
'''
RESULT = "return x + self.drop(self.sublayer(self.norm(x), **kwargs))"


# Operators ------------------------------------------------------------------------------------------------------------


def class_with(line):
    source = f"class Block:\n    def forward(self, x, y):\n        self.a = self.b = x\n        {line}\n"
    return ast.unparse(ast.parse(source))


@pytest.mark.parametrize(
    ("kind", "line", "changed"),
    [
        ("arithmetic operator", "z = x + y", "z = x - y"),
        ("operand only", "z = x + y", "z = y"),
        ("operands swapped", "z = x + y", "z = y + x"),
        ("factor added", "z = x + y", "z = x + 0.5 * y"),
        ("sum in place", "z = x + y", "z = x.add_(y)"),
        ("activation added", "z = x + y", "z = torch.relu(x + y)"),
        ("call moved", "z = x + f(y)", "z = f(x + y)"),
        ("gradient cut", "z = f(x)", "z = f(x.detach())"),
        ("comparison negated", "z = x == y", "z = x != y"),
        ("shape compared in part", "z = x == y", "z = x[-1] == y[-1]"),
        ("and, or", "z = x and y", "z = x or y"),
        ("condition forced", "z = x if c else y", "z = x if True else y"),
        ("condition forced", "z = x if c else y", "z = y if c else x"),
        ("constant changed", "z = 0.1", "z = 0.9"),
        ("constant changed", "z = x[4]", "z = x[3]"),
        ("constant changed", "z = True", "z = False"),
        ("key changed", "z = x['n_heads']", "z = x['emb_dim']"),
        ("call skipped", "z = f(x)", "z = x"),
        ("call repeated", "z = f(x)", "z = f(f(x))"),
        ("calls exchanged", "z = f(g(x))", "z = g(f(x))"),
        ("argument dropped", "z = f(x, key=y)", "z = f(x)"),
        ("arguments swapped", "z = f(a=x, b=y)", "z = f(a=y, b=x)"),
        ("another layer", "z = nn.Dropout(0.1)", "z = nn.Identity(0.1)"),
        ("another attribute", "z = self.a(x)", "z = self.b(x)"),
        ("another name", "z = f(x)", "z = f(y)"),
        ("statement dropped", "z = f(x)", "pass"),
        ("part hidden", "self.c = f(x)", "self.__dict__['c'] = f(x)"),
        ("another return", "return f(x)", "return (f(x), None)"),
    ],
)  # fmt: skip
def test_an_operator_makes_its_change(kind, line, changed):
    made = {mutant.source for mutant in first_order(class_with(line), "Block") if mutant.kind == kind}

    assert class_with(changed) in made


@pytest.mark.parametrize(
    ("kind", "lines", "changed"),
    [
        ("statement duplicated", ["z = f(x)"], ["z = f(x)", "z = f(x)"]),
        ("statements swapped", ["z = f(x)", "w = y", "return w"], ["w = y", "z = f(x)", "return w"]),
        ("loop changed", ["for z in y:", "    x = z(x)"], ["for z in list(y)[1:]:", "    x = z(x)"]),
        ("loop changed", ["for z in y:", "    x = z(x)"], ["for z in y:", "    x = z(x)", "    return x"]),
        ("loop bounded", ["for z in y:", "    x = z(x)"], ["for z in list(y)[:5]:", "    x = z(x)"]),
        ("comprehension changed", ["z = list((f(a) for a in y))"], ["z = list((f(a) for a in list(y)[:-1]))"]),
    ],
)
def test_an_operator_changes_statements(kind, lines, changed):
    indent = "\n        "
    made = {one.source for one in first_order(class_with(indent.join(lines)), "Block") if one.kind == kind}

    assert class_with(indent.join(changed)) in made


@pytest.mark.parametrize(
    ("kind", "changed"),
    [
        ("signature changed", "def __init__(self, sublayer, dim: int, rate: float=0.1) -> None:"),
        ("signature changed", "def __init__(self, dim: int, sublayer, rate: float) -> None:"),
        ("constant changed", "def __init__(self, dim: int, sublayer, rate: float=0.9) -> None:"),
        ("gradient off", "@torch.no_grad()"),
    ],
)
def test_an_operator_changes_functions(kind, changed):
    made = [mutant.source for mutant in first_order(SOURCE, "Block") if mutant.kind == kind]

    assert any(changed in source for source in made)


def test_each_mutant_is_another_python_source():
    made = [mutant.source for mutant in first_order(SOURCE, "Block")]

    assert len(set(made)) == len(made) > 50
    assert all(compile(source, "mutant", "exec") for source in made)


def test_every_operator_is_of_use_in_some_solution():
    made = [first_order(one.solution.read_text(encoding="utf-8"), one.defines[0]) for one in COURSE.exercises]

    assert {mutant.kind for exercise in made for mutant in exercise} == set(OPERATORS)


def test_only_the_functions_of_the_class_are_changed():
    for mutant in first_order(SOURCE, "Block"):
        assert "SEED = 1" in mutant.source
        assert '"""Adds 1."""' in mutant.source
        assert "dim: int" in mutant.source


def test_after_all_single_changes_come_double_ones_the_same_each_time():
    single = first_order(SOURCE, "Block")

    made, again = (list(islice(mutants(SOURCE, "Block"), len(single) + 5)) for _ in range(2))

    assert made[: len(single)] == single
    assert [" + " in mutant.kind for mutant in made[len(single) :]] == [True] * 5
    assert made == again
    assert len({mutant.source for mutant in made}) == len(made)


def test_a_source_that_has_few_mutants_ends():
    assert list(mutants("class Block:\n    def f(self):\n        pass\n", "Block")) == [
        mutant for mutant in mutants("class Block:\n    def f(self):\n        pass\n", "Block")
    ]


def test_the_difference_is_told_in_lines():
    assert difference("x = 1\ny = 2\n", "x = 1\ny = 3") == "- y = 2\n+ y = 3"


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        ("operands swapped", "addition commutes"),
        ("operands swapped + operands swapped", "addition commutes"),
        ("operands swapped + operand only", None),
    ],
)
def test_a_reason_is_known_when_it_is_for_each_change(kind, why):
    assert reason(kind) == why


# Oracle ---------------------------------------------------------------------------------------------------------------


def block(rate=0.3, *, scale=1.0, dtype=torch.float64):
    return Scene(lambda: ((4, Counting(4), rate), {}), (6, 4), {"scale": scale}, dtype)


@pytest.fixture(scope="module")
def oracle():
    return Oracle(
        SOURCE,
        "Block",
        iter([block(), block(scale=3.0), block(dtype=torch.float32)]),
        SOLUTIONS / "previous_chapters.py",
    )


@pytest.mark.parametrize(
    ("old", "new", "seen"),
    [
        (RESULT, "return x - self.drop(self.sublayer(self.norm(x), **kwargs))", "eval output"),
        (RESULT, "return self.drop(x + self.sublayer(self.norm(x), **kwargs))", "train output"),
        (RESULT, "return x.detach() + self.drop(self.sublayer(self.norm(x), **kwargs))", "eval gradients"),
        (RESULT, "return x + self.drop(self.sublayer(self.norm(x)))", "eval output"),
        (RESULT, "x = x + self.drop(self.sublayer(self.norm(x), **kwargs)); return x.half()", "eval output"),
        (RESULT, "r = self.drop(self.sublayer(self.norm(x * 1), **kwargs)); return x.add_(r)", "eval input"),
        (RESULT, "torch.manual_seed(0); " + RESULT, "global state"),
        (RESULT, "torch.set_default_dtype(torch.float64); " + RESULT, "global state"),
        (RESULT, "self.sublayer(x); " + RESULT, "calls"),
        ("nn.Dropout(rate)", "nn.Dropout(rate / 2)", "train output"),
        ("nn.Dropout(rate)", "lambda y: nn.functional.dropout(y, rate)", "eval output"),
        ("nn.Dropout(rate)", "nn.Dropout1d(rate)", "train output"),
        ("self.sublayer = sublayer", "self.__dict__['sublayer'] = sublayer.double()", "parameters"),
        ("nn.LayerNorm(dim)", "SHARED", "shared parameters"),
        ("import torch\n", "import torch, nothing_of_this_name\n", "does not load: ModuleNotFoundError"),
        ("return x +", "return x @", "raises"),
    ],
)  # fmt: skip
def test_the_oracle_sees(oracle, old, new, seen):
    other = SOURCE.replace(old, new).replace("SEED = 1", "SHARED = nn.LayerNorm(4)")

    assert seen in oracle.difference(other)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("self.norm", "self.layer_norm"),
        (RESULT, "h = self.sublayer(self.norm(x), **kwargs); return self.drop(h) + x"),
        (RESULT, "torch.rand(1); " + RESULT),
        ("nn.Dropout(rate)", "lambda y: y * (torch.rand_like(y) >= rate) / (1 - rate) if self.training else y"),
        ("__init__()\n", "__init__()\n        self.sublayer = sublayer\n"),
    ],
    ids=["names", "order of the sum", "one number drawn before", "mask by hand", "order of creation"],
)  # fmt: skip
def test_the_oracle_passes_over(oracle, old, new):
    assert oracle.difference(SOURCE.replace(old, new)) is None


TWO_NORMS = """\
from torch import nn


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.a, self.b = nn.LayerNorm(dim), nn.LayerNorm(dim)

    def forward(self, x):
        return self.{}(self.{}(x) ** 2)
"""


@pytest.mark.parametrize(("names", "alike"), [(("b", "a"), True), (("a", "a"), False)])
def test_the_names_of_norms_mean_nothing(names, alike):
    scene = Scene(lambda: ((4,), {}), (6, 4))
    oracle = Oracle(TWO_NORMS.format("a", "b"), "Block", iter([scene]), SOLUTIONS / "previous_chapters.py")

    assert (oracle.difference(TWO_NORMS.format(*names)) is None) == alike


def test_the_oracle_leaves_torch_as_it_was(oracle):
    oracle.difference(SOURCE.replace(RESULT, "torch.set_default_dtype(torch.float64); torch.set_grad_enabled(False)"))

    assert (torch.get_default_dtype(), torch.is_grad_enabled()) == (torch.float32, True)


@pytest.mark.parametrize("exercise", COURSE.exercises, ids=lambda exercise: exercise.name)
def test_a_solution_does_not_differ_from_itself(exercise):
    source = exercise.solution.read_text(encoding="utf-8")

    assert oracle_of(COURSE, exercise).difference(source) is None


# Conclusions ----------------------------------------------------------------------------------------------------------


def mistake(name, *lost):
    seen = Seen(0, 1, lost[0][1], None, ("a", "b", "c"), tuple(Lost(check, "failed", tag) for check, tag in lost), ())
    return Judged(f"solutions/x/mistakes/{name}.py", "mistake", None, (seen,), ())


def test_a_check_is_needed_for_what_only_it_catches_or_names():
    files = (
        mistake("one", ("a", "t")),
        mistake("two", ("b", "t"), ("c", "u")),
        mistake("three", ("a", "t"), ("c", "t")),
    )
    failed = {"a": ("one", "three"), "b": ("two",), "c": ("two", "three")}
    checks = tuple(
        Coverage(check, tuple(f"solutions/x/mistakes/{name}.py" for name in names)) for check, names in failed.items()
    )

    found = list(needed(ExerciseProof("x", files, checks, (), ())))

    assert found == [Needed("x", "a", ("one",), ()), Needed("x", "b", (), ("two",)), Needed("x", "c", (), ())]
    assert [one.idle for one in found] == [False, False, True]
    assert [told_of(one) for one in found] == ["| a | one |  |", "| b |  | two |", "| c | IDLE | |"]


def a_mutant(differs, **changes):
    given = {"passed": False, "tag": None, "broken": False, "needs_review": False, "kind": "operands swapped"}
    return Tried(exercise="x", diff="", differs=differs, **{**given, **changes})


@pytest.mark.parametrize(
    ("one", "survivor", "wronged", "unexplained"),
    [
        (a_mutant("eval output"), False, False, False),
        (a_mutant("eval output", passed=True), True, False, False),
        (a_mutant("eval output", passed=True, needs_review=True), False, False, False),
        (a_mutant("eval output", broken=True), True, False, False),
        (a_mutant(None, passed=True), False, False, False),
        (a_mutant(None), False, True, False),
        (a_mutant(None, passed=True, needs_review=True), False, True, False),
        (a_mutant(None, passed=True, kind="operand only"), False, False, True),
    ],
)
def test_a_mutant_is_as_it_should_be_or_not(one, survivor, wronged, unexplained):
    assert (one.survivor, one.wronged, one.unexplained) == (survivor, wronged, unexplained)


def test_totals_count_each_kind_of_end():
    found = [a_mutant("raises"), a_mutant("eval output", passed=True), a_mutant(None, passed=True)]

    assert totals(found) == {
        "mutants": 3, "run": 2, "different": 2, "caught": 1, "equivalent": 1, "survivors": 1, "wronged": 0,
        "unexplained": 0,
    }  # fmt: skip


def test_what_is_not_as_it_should_be_is_told_with_its_difference():
    kinds = {"different": a_mutant("eval output", tag="post-norm"), "untagged": a_mutant("eval output")}
    kinds |= {
        "survivor": a_mutant("raises", passed=True),
        "same": a_mutant(None, passed=True),
        "wronged": a_mutant(None),
    }
    shown = list(told([msgspec.structs.replace(one, diff=f"+ {name}") for name, one in kinds.items()]))

    assert [row for row in shown if "\n    + " in row] == [
        "equivalent, operands swapped: addition commutes\n    + same",
        "equivalent, operands swapped: addition commutes\n    + wronged",
        "caught without a tag, operands swapped: differs in eval output\n    + untagged",
        "SURVIVOR, operands swapped: differs in raises\n    + survivor",
        "WRONGED, operands swapped: tag None, needs_review False\n    + wronged",
    ]


# Some mutants of each solution ----------------------------------------------------------------------------------------


# Of these two the oracle sees less than the task asks for: with which numbers a gate starts, and how exact an eps is.
BLIND_FOR = ("highway_layer", "post_norm_block")
SEEN = [exercise for exercise in COURSE.exercises if exercise.name not in BLIND_FOR]


@pytest.mark.parametrize("exercise", SEEN, ids=lambda exercise: exercise.name)
def test_mutants_that_behave_differently_lose_points_and_no_others(exercise, launch):
    oracle = oracle_of(COURSE, exercise)
    made = first_order(exercise.solution.read_text(encoding="utf-8"), exercise.defines[0])
    drawn = [*random.Random(4).sample(made, 11), next(mutant for mutant in made if mutant.kind == "operands swapped")]
    asked = [Question(mutant, oracle.difference(mutant.source)) for mutant in drawn]

    found = list(tried(COURSE, exercise, asked, launch))

    assert [one.diff for one in found if one.survivor or one.wronged] == []
    assert {one.differs is None for one in found} == {True, False}
