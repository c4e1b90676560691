"""When an exercise counts as not begun."""

import pytest

from grader.intake.parsing import Parser
from grader.intake.stub import Progress, progress

WANTED = ("ResidualAdd", "DeepNetwork", "print_gradients")


@pytest.fixture(scope="module")
def parser():
    with Parser(WANTED) as started:
        yield started


@pytest.fixture
def how_far(parser):
    """How far the source has come as an answer to the exercise."""
    return lambda source, exercise: progress(parser.outline(source), exercise)


def test_the_stub_is_a_problem_with_its_line(sample_file):
    work = sample_file("stub.py")
    assert (work.problem.kind, work.problem.line, work.file.path) == ("stub", 10, "residual_add.py")
    assert "still the stub" in work.problem.happened


def test_a_stub_in_a_notebook_names_the_cell(work_for, sample):
    text = sample("notebook.ipynb").replace("return x", "raise NotImplementedError")
    problem = work_for({"residual_add.ipynb": text}).problem
    assert (problem.kind, problem.line) == ("stub", 3)
    assert "cell 1, line 3" in problem.happened


def test_a_partly_filled_in_class_is_run(sample_file):
    assert sample_file("partly_filled_in.py").problem is None


@pytest.mark.parametrize("begin", ["super().__init__()", "super(ResidualAdd, self).__init__()", "'''Doc.'''", "pass"])
def test_what_every_stub_has_is_no_code(how_far, residual_add, begin):
    source = f"class ResidualAdd:\n    def __init__(self):\n        {begin}\n        raise NotImplementedError('x')\n"
    assert how_far(source, residual_add) is Progress.STUB


def test_code_behind_the_raise_is_code(how_far, residual_add):
    source = "class ResidualAdd:\n    def forward(self, x):\n        raise NotImplementedError\n        return x\n"
    assert how_far(source, residual_add) is Progress.PARTLY


def test_a_raise_inside_a_branch_is_code(how_far, residual_add):
    source = "class ResidualAdd:\n    def forward(self, x):\n        if x:\n            raise NotImplementedError\n"
    assert how_far(source, residual_add) is Progress.FILLED_IN


def test_a_raise_in_another_class_does_not_count(how_far, residual_add):
    source = "class Base:\n    def f(self):\n        raise NotImplementedError\nclass ResidualAdd(Base):\n    pass\n"
    assert how_far(source, residual_add) is Progress.FILLED_IN


def test_the_last_definition_counts(how_far, residual_add):
    stub = "class ResidualAdd:\n    def forward(self, x):\n        raise NotImplementedError\n"
    filled_in = stub.replace("raise NotImplementedError", "return x")
    assert how_far(stub + filled_in, residual_add) is Progress.FILLED_IN


def test_a_filled_in_function_beside_a_stub_class_is_run(how_far, course):
    source = (
        "class DeepNetwork:\n    def forward(self, x):\n        raise NotImplementedError\n"
        "def print_gradients(model, x):\n    return 1\n"
    )
    assert how_far(source, course.exercises[1]) is not Progress.STUB


def test_a_function_can_be_a_stub(how_far, course):
    source = (
        "class DeepNetwork:\n    def forward(self, x):\n        raise NotImplementedError\n"
        "def print_gradients(model, x):\n    raise NotImplementedError\n"
    )
    assert how_far(source, course.exercises[1]) is Progress.STUB
