"""Nothing of the instructors' side stands in what a student reads: its source says which names, texts and numbers."""

import ast
import re
import tomllib
from pathlib import Path

import msgspec
import pytest

from grader.checks.vocabulary import vocabulary

ROOT = Path(__file__).parents[2]
SOLUTIONS, EXERCISES = ROOT / "solutions", ROOT / "exercises"
STAFF_FILES = sorted(path for name in ("checks.py", "solution.py") for path in SOLUTIONS.glob(f"*/{name}"))
SENTENCES = {"fail", "expect", "check", "remark", "show", "to_be", "to_equal", "to_have_shape", "print", "defines"}
NAME = re.compile(r"\w+_\w+_\w+|(?:[A-Z][a-z0-9]+){3,}")
MISTAKES = [
    *(f"solutions/residual_add/mistakes/{name}.py"
      for name in ("missing_skip", "post_norm", "dropout_on_sum", "kwargs_dropped")),
    *(f"tests/cases/residual_add/wrong/{name}.py"
      for name in ("broken_gradient_skip", "wrong_return_none", "wrong_scale_skip", "norm_wrong_stat_no_eps",
                   "does_not_run")),
]  # fmt: skip


def published():
    return "\n".join(path.read_text(encoding="utf-8") for path in EXERCISES.glob("*.py"))


def names(tree):
    """Identifiers of three words or more, but for the names of checks."""
    found = set()
    for node in ast.walk(tree):
        named = [getattr(node, key, None) for key in ("id", "name", "attr", "arg")]
        found |= {name for name in named if isinstance(name, str) and NAME.fullmatch(name)}
    return {name for name in found if not name.startswith("check_")}


def texts(tree):
    """Strings that are no docstring and are handed to nothing that speaks to the student."""
    spoken = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in SENTENCES:
            spoken |= {id(inner) for inner in ast.walk(node)}
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            spoken.add(id(node.body[0].value))
    found = {node.value for node in ast.walk(tree)
             if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in spoken}  # fmt: skip
    return {text for text in found if len(text) > 5} - set(vocabulary())


def numbers(tree):
    """Numbers of three significant digits or more."""
    found = {
        repr(node.value) for node in ast.walk(tree) if isinstance(node, ast.Constant) and type(node.value) is float
    }
    return {number for number in found if len(re.sub(r"e.*|[.\-]", "", number).strip("0")) >= 3}


def solved(path):
    """The lines that publishing takes out."""
    inside, found = False, set()
    for line in path.read_text(encoding="utf-8").splitlines():
        if "SOLUTION" in line:
            inside = "BEGIN" in line
        elif inside and len(line.strip()) > 12:
            found.add(line.strip())
    return found


@pytest.fixture(scope="module")
def hidden():
    found = set()
    for path in STAFF_FILES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        found |= names(tree) | texts(tree) | numbers(tree) | solved(path)
    asked = {tomllib.loads(path.read_text(encoding="utf-8"))["formula"] for path in SOLUTIONS.glob("*/exercise.toml")}
    spoken = "\n".join(text for entry in vocabulary().values() for text in msgspec.structs.astuple(entry))
    known = published() + spoken  # what students are told about each kind of mistake
    return {one for one in found - asked if one not in known}


def leaked(hidden, outputs, source):
    everything = "\n".join(outputs)
    return {one for one in hidden if one not in source and re.search(rf"(?<!\w){re.escape(one)}(?!\w)", everything)}


def printed_floats(text):
    return set(re.findall(r"\d+\.\d{6,}", text))


@pytest.mark.parametrize("name", MISTAKES)
def test_page_of_a_known_mistake_gives_nothing_away(name, hidden, grade, shown):
    source = (ROOT / name).read_text(encoding="utf-8")

    record = grade(source)

    assert record.points < record.max_points
    assert leaked(hidden, shown(record), source) == set()


def test_page_of_full_marks_gives_nothing_away(hidden, grade, shown, right):
    assert leaked(hidden, shown(grade(right)), right) == set()


def test_page_of_the_stub_gives_nothing_away(hidden, grade, shown):
    stub = (EXERCISES / "residual_add.py").read_text(encoding="utf-8")

    assert leaked(hidden, shown(grade(stub)), stub) == set()


def test_there_is_something_to_give_away(hidden):
    assert {"_expect_a_layer_norm", "check_that"} & hidden == {"_expect_a_layer_norm"}
    assert len(hidden) > 10


def test_search_finds_what_is_given_away(hidden):
    one = min(hidden)

    assert leaked(hidden, [f"a page with {one} in it"], "") >= {one}


def test_what_is_printed_in_hidden_checks_is_for_staff_only(grade, shown, forward):
    source = forward(
        "if x.shape == (4, 6, 8):",
        '    print("seen in a hidden check")',
        "return x + self.drop(self.sublayer(self.norm(x), **kwargs))",
    )

    record = grade(source)

    assert "seen in a hidden check" in record.staff["printed"]["residual_add.adds_the_input_back"]
    assert not any("seen in a hidden check\n" in text or "seen in a hidden check\\n" in text for text in shown(record))
    assert record.exercises[0].printed.head == ""


def test_hidden_inputs_that_are_printed_are_for_staff_only(grade, shown, forward):
    source = forward("print(x.tolist())", "return x + self.drop(self.sublayer(self.norm(x), **kwargs))")

    record = grade(source)

    hidden = set().union(*(printed_floats(text) for text in record.staff["printed"].values()))
    visible = printed_floats(record.exercises[0].printed.head + record.exercises[0].printed.tail)
    assert len(hidden - visible) > 50
    assert set().union(*map(printed_floats, shown(record))) & (hidden - visible) == set()


def test_hidden_inputs_in_the_text_of_an_exception_are_left_out(grade, shown, forward):
    source = forward("print(x.tolist())", "raise ValueError(str(x.tolist()))")

    record = grade(source)

    hidden = set().union(*(printed_floats(text) for text in record.staff["printed"].values()))
    visible = printed_floats(record.exercises[0].checks[0].happened + record.exercises[0].checks[1].happened)
    visible |= printed_floats(record.exercises[0].printed.head + record.exercises[0].printed.tail)
    assert len(hidden - visible) > 50
    assert set().union(*map(printed_floats, shown(record))) & (hidden - visible) == set()


def test_students_json_has_no_course_seed(grade, shown, wrong):
    assert not any("a-private-seed" in text for text in shown(grade(wrong)))
