"""Nothing of the instructors' side reaches the students: a canary in each of its places, looked for in all they get."""

import json
from pathlib import Path

import pytest

from grader.authoring.publish import publish
from grader.errors import CourseError
from grader.model.course import load_course

SEED = "canary-of-the-seed-0vKc3uXwR9"
SOLUTION = '''\
"""Exercise."""


class Doubled:
    """Twice the input. Say "twice" in words: „zweimal“.

    Example:
        >>> print(Doubled()(1))
        2
    """

    def __init__(self):
        # BEGIN SOLUTION: Keep the factor.
        self.factor = 2  # canary_of_the_first_block
        # END SOLUTION

    def __call__(self, x):
        # BEGIN SOLUTION
        if x is None:
            return "canary_of_the_second_block"

        return self.factor * x
        # END SOLUTION
'''
FILES = {
    "course.toml": f'name = "Small"\nexercises = ["doubled"]  # canary_of_a_comment\nseed = "{SEED}"\n'
    '[deadline]\nat = 2026-10-04T23:59:00\ntime_zone = "Europe/Berlin"\n'
    "[deadline.extensions]\ncanary_of_a_student = 3\n",
    "doubled/exercise.toml": 'title = "Doubled"\ndefines = ["Doubled"]\nformula = "2·x"\n',
    "doubled/solution.py": SOLUTION,
    "doubled/checks.py": "CANARY = 'canary_of_the_checks'\n",
    "doubled/mistakes/canary_of_a_mistakes_name.py": "# tag: wrong-scale\n'''canary_of_a_mistake'''\n",
    "doubled/rewrites/canary_of_a_rewrites_name.py": "'''canary_of_a_rewrite'''\n",
    "doubled/notes.txt": "canary_of_a_note",
    "previous_chapters.py": "BLOCKS = 1\n",
}


@pytest.fixture
def course_with(tmp_path):
    def course(changes=()):
        for name, text in {**FILES, **dict(changes)}.items():
            path = tmp_path / "solutions" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return load_course(tmp_path / "solutions")

    return course


def given_to_students(out: Path):
    """Names and contents of all files, also as a reader of a notebook sees them."""
    for path in out.rglob("*"):
        assert path.is_file()
        yield path.name
        yield path.read_text(encoding="utf-8")
        if path.suffix == ".ipynb":
            yield "\n".join("".join(cell["source"]) for cell in json.loads(path.read_text(encoding="utf-8"))["cells"])


def test_no_canary_of_the_private_side_is_published(course_with, tmp_path):
    publish(course_with(), tmp_path / "exercises")

    published = "\n".join(given_to_students(tmp_path / "exercises"))
    assert "BLOCKS = 1" in published
    assert "canary" not in published.lower()


def test_each_place_of_the_private_side_has_its_canary():
    canaries = [name for name, text in FILES.items() if "canary" in text]

    assert set(FILES) - set(canaries) == {"doubled/exercise.toml", "previous_chapters.py"}


BLOCK = '        if x is None:\n            return "canary_of_the_second_block"\n        return self.factor * x\n'


@pytest.mark.parametrize(
    ("file", "text", "words"),
    [
        ("previous_chapters.py", f"# {SEED}\n", "previous_chapters.py would give away the seed"),
        ("doubled/exercise.toml", FILES["doubled/exercise.toml"].replace('"Doubled"\nd', f'"{SEED}"\nd'), "the seed"),
        ("previous_chapters.py", f"class Doubled:\n    def __call__(self, x):\n{BLOCK}", "block 2 of the solution of"),
        (
            "doubled/solution.py",
            SOLUTION.replace("    Example:", f"    Like this:\n\n{BLOCK}\n    Example:"),
            "block 2 of",
        ),
    ],
    ids=["seed in the blocks", "seed as title", "solution in the blocks", "solution in the task"],
)
def test_what_an_author_let_slip_is_refused(course_with, tmp_path, file, text, words):
    with pytest.raises(CourseError, match=words):
        publish(course_with({file: text}), tmp_path / "exercises")

    assert not (tmp_path / "exercises").exists()


def test_a_short_block_is_no_secret(course_with, tmp_path):
    short = SOLUTION.replace("self.factor = 2  # canary_of_the_first_block", "return")

    publish(
        course_with({"doubled/solution.py": short, "previous_chapters.py": "def f():\n    return\n"}), tmp_path / "out"
    )

    assert (tmp_path / "out" / "previous_chapters.py").is_file()
