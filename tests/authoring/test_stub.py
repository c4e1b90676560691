import ast

import pytest

from grader.authoring.stub import STUB_MESSAGE, make_stub, marked_blocks
from grader.errors import CourseError

SOLUTION = '''"""Exercise."""

import math


class Thing:
    """The task, which may say BEGIN SOLUTION."""

    def __init__(self, size):
        self.size = size
        # BEGIN SOLUTION: Keep the square.
        self.secret = math.sqrt(size)
        # END SOLUTION

    def forward(self, x):
        # BEGIN SOLUTION
        if x:
            return self.secret

        return 0
        # END SOLUTION


print("end")
'''


def stub_of(body: str) -> str:
    return make_stub(f"def f():\n{body}", "solution.py")


def test_each_block_becomes_one_raise_at_its_indentation():
    stub = make_stub(SOLUTION, "solution.py")

    assert stub.count(f'        raise NotImplementedError("{STUB_MESSAGE}")\n') == 2


def test_everything_else_stays():
    stub = make_stub(SOLUTION, "solution.py")

    assert (
        stub
        == '''"""Exercise."""

import math


class Thing:
    """The task, which may say BEGIN SOLUTION."""

    def __init__(self, size):
        self.size = size
        # Keep the square.
        raise NotImplementedError("Write this part, then delete this line.")

    def forward(self, x):
        raise NotImplementedError("Write this part, then delete this line.")


print("end")
'''
    )


def test_the_stub_can_be_loaded():
    namespace: dict[str, object] = {}

    exec(make_stub(SOLUTION, "solution.py"), namespace)

    assert "Thing" in namespace


def test_windows_line_ends_become_line_feeds():
    assert make_stub(SOLUTION.replace("\n", "\r\n"), "solution.py") == make_stub(SOLUTION, "solution.py")


def test_marked_blocks_are_the_text_between_the_markers():
    assert marked_blocks(SOLUTION, "solution.py")[0] == "        self.secret = math.sqrt(size)"


@pytest.mark.parametrize(
    ("body", "place", "reason"),
    [
        ("    return 1\n", "solution.py:1:", "No '# BEGIN SOLUTION' found"),
        ("    # BEGIN SOLUTION\n    return 1\n", "solution.py:2:", "never ended"),
        ("    return 1\n    # END SOLUTION\n", "solution.py:3:", "without a BEGIN"),
        ("    # BEGIN SOLUTION\n    # BEGIN SOLUTION\n    # END SOLUTION\n    pass\n", "solution.py:3:", "inside"),
        ("    #BEGIN SOLUTION\n    return 1\n    # END SOLUTION\n", "solution.py:2:", "almost a marker"),
        ("    # begin solution\n    return 1\n    # END SOLUTION\n", "solution.py:2:", "almost a marker"),
        ("    # BEGIN SOLUTION:\n    return 1\n    # END SOLUTION\n", "solution.py:2:", "almost a marker"),
        ("    # BEGIN SOLUTION\n    return 1\n    # END SOLUTION: x\n", "solution.py:4:", "almost a marker"),
        ("    x = 1  # BEGIN SOLUTION\n    # END SOLUTION\n", "solution.py:2:", "alone"),
        ("    return (\n", "solution.py:2:", "not valid Python"),
        ("    pass\n# BEGIN SOLUTION\nx = 1\n# END SOLUTION\n", "solution.py:3:", "inside a function"),
        (
            "    # BEGIN SOLUTION\n    if 1:\n        pass\n    # END SOLUTION\n    else:\n        pass\n",
            "",
            "stub made",
        ),
    ],
)
def test_wrong_markers_are_reported_with_file_and_line(body, place, reason):
    with pytest.raises(CourseError) as caught:
        stub_of(body)

    assert str(caught.value).startswith(place or "solution.py:")
    assert reason in str(caught.value)


def test_a_marker_in_a_string_is_no_marker():
    stub = stub_of(
        '    text = """\n    # BEGIN SOLUTION\n    """\n    # BEGIN SOLUTION\n    return text\n    # END SOLUTION\n'
    )

    assert '"""\n    # BEGIN SOLUTION\n    """' in stub
    assert "return text" not in stub


def test_the_replacement_text_is_a_comment_above_the_raise():
    body = stub_of("    # BEGIN SOLUTION: Add both.\n    return 1\n    # END SOLUTION\n").splitlines()

    assert body[1:] == ["    # Add both.", f'    raise NotImplementedError("{STUB_MESSAGE}")']
    assert ast.parse("\n".join(body))
