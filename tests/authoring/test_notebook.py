import json

import nbformat
import pytest

from grader.authoring.notebook import make_notebook
from grader.errors import CourseError
from grader.model.course import Exercise

EXERCISE = Exercise(name="adding", title="Adding numbers", defines=("Add",), formula="a + b", folder="adding")
STUB = '''"""Exercise."""


class Add:
    """Add two numbers.

    Steps:

    1. Take both.
       Then add.

    Shape:
        - input: a number

    Example:
        >>> add = Add()
        >>> for _ in range(2):
        ...     print(add(1, 2))
        3
        3
    """

    def __call__(self, a, b):
        raise NotImplementedError("Write this part.")
'''


def cells(stub: str = STUB) -> list[dict]:
    return json.loads(make_notebook(EXERCISE, stub))["cells"]


def test_is_valid_and_of_version_4_5():
    notebook = nbformat.reads(make_notebook(EXERCISE, STUB).decode(), as_version=4)

    nbformat.validate(notebook)
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
    assert notebook.metadata.kernelspec.name == "python3"


def test_the_same_input_gives_the_same_bytes():
    assert make_notebook(EXERCISE, STUB) == make_notebook(EXERCISE, STUB)


def test_ends_with_one_line_feed():
    data = make_notebook(EXERCISE, STUB)

    assert data.endswith(b"}\n")
    assert b"\r" not in data


def test_ids_come_from_name_and_position():
    assert [cell["id"] for cell in cells()] == ["adding-1", "adding-2", "adding-3"]


def test_a_long_or_odd_name_still_gives_valid_ids():
    exercise = Exercise(name="é!" * 80, title="t", defines=("Add",), formula="", folder="x")

    nbformat.validate(nbformat.reads(make_notebook(exercise, STUB).decode(), as_version=4))


def test_the_task_is_text_with_headings():
    task = "".join(cells()[0]["source"])

    assert cells()[0]["cell_type"] == "markdown"
    assert task == (
        "# Adding numbers\n\nAdd two numbers.\n\n## Steps\n\n1. Take both.\n   Then add.\n\n"
        "## Shape\n\n- input: a number"
    )


def test_the_second_cell_is_the_stub():
    assert "".join(cells()[1]["source"]) == STUB.rstrip("\n")


def test_the_last_cell_is_the_example_without_its_output():
    assert "".join(cells()[2]["source"]) == "add = Add()\nfor _ in range(2):\n    print(add(1, 2))"


def test_without_an_example_the_last_cell_invites():
    stub = STUB.replace("Example:", "Remark:").replace(">>>", "").replace("...", "")

    assert "".join(cells(stub)[2]["source"]) == "# Try your code here."


@pytest.mark.parametrize(
    ("stub", "reason"),
    [
        ("class Other:\n    pass\n", "adding/solution.py:1: Add is not defined"),
        ("\nclass Add:\n    pass\n", "adding/solution.py:2: Add has no docstring"),
    ],
)
def test_a_stub_without_a_task_is_the_authors_mistake(stub, reason):
    with pytest.raises(CourseError, match=reason):
        make_notebook(EXERCISE, stub)
