import ast
import doctest
import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import nbformat
import pytest
from small_course import small_course as made_course

from grader.authoring.proof import ExerciseProof, Fault, Proof
from grader.authoring.publish import publish, require_proven
from grader.authoring.stub import marked_blocks
from grader.errors import CourseError, UsageError
from grader.model.course import Course, Exercise, load_course
from grader.model.limits import Limits
from grader.quiz import handout, load_quiz

ROOT = Path(__file__).parents[2]
SOLUTIONS = ROOT / "solutions"
NAMES = ("residual_add", "deep_network", "transformer_block")


@pytest.fixture(scope="module")
def published(tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("publish") / "exercises"
    publish(load_course(SOLUTIONS), out)
    return out


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}


def loaded(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"loaded_{path.parent.name}_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


MARKED = 'def f():\n    """Task."""\n    # BEGIN SOLUTION\n    return 1\n    # END SOLUTION\n'


def small_course(root: Path, solution: str) -> Course:
    folder = root / "one"
    folder.mkdir(parents=True)
    (folder / "solution.py").write_text(solution)
    (root / "previous_chapters.py").write_text("# blocks\n")
    exercise = Exercise(name="one", title="One", defines=("f",), formula="1", folder=str(folder))
    return Course(name="Small", root=str(root), exercises=(exercise,), seed="s", limits=Limits(), digest="")


def test_the_committed_exercises_are_a_fresh_publish(published):
    assert contents(ROOT / "exercises") == contents(published)


def test_returns_what_it_wrote(tmp_path):
    paths = publish(load_course(SOLUTIONS), tmp_path / "out")

    assert sorted(path.name for path in paths) == sorted(contents(tmp_path / "out"))


def test_a_second_run_writes_the_same_bytes(published, tmp_path):
    for _ in range(2):
        publish(load_course(SOLUTIONS), tmp_path / "exercises")

        assert contents(tmp_path / "exercises") == contents(published)


@pytest.mark.parametrize("name", NAMES)
def test_no_line_of_a_solution_is_published(published, name):
    blocks = marked_blocks((SOLUTIONS / name / "solution.py").read_text(encoding="utf-8"), name)
    lines = {line.strip() for block in blocks for line in block.splitlines()} - {"", ")", "return x"}

    for path in published.iterdir():
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".ipynb":
            text = "\n".join(cell["source"] for cell in nbformat.read(path, as_version=4).cells)
        assert [line for line in lines if line in text] == []


def test_neither_the_seed_nor_the_checks_are_published(published):
    seed = load_course(SOLUTIONS).seed

    assert all(seed.encode() not in data and b"checks.py" not in data for data in contents(published).values())


@pytest.mark.parametrize("name", NAMES)
def test_stubs_parse_and_raise_once_per_block(published, name):
    stub, solution = (
        folder.read_text(encoding="utf-8") for folder in (published / f"{name}.py", SOLUTIONS / name / "solution.py")
    )

    assert (
        sum(isinstance(node, ast.Raise) for node in ast.walk(ast.parse(stub)))
        == solution.count("# BEGIN SOLUTION")
        >= 2
    )


@pytest.mark.parametrize("name", NAMES)
def test_notebooks_validate_and_hold_the_stub(published, name):
    notebook = nbformat.read(published / f"{name}.ipynb", as_version=4)

    nbformat.validate(notebook)
    assert notebook.cells[1].source + "\n" == (published / f"{name}.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_the_examples_in_the_task_are_right(monkeypatch, name):
    monkeypatch.setitem(sys.modules, "previous_chapters", loaded(SOLUTIONS / "previous_chapters.py"))

    result = doctest.testmod(loaded(SOLUTIONS / name / "solution.py"))

    assert result.attempted > 0
    assert result.failed == 0


def test_a_broken_solution_leaves_the_folder_untouched(tmp_path):
    course = small_course(tmp_path / "course", "def f():\n    return 1\n")

    with pytest.raises(CourseError, match="BEGIN SOLUTION"):
        publish(course, tmp_path / "out")

    assert not (tmp_path / "out").exists()


def test_a_missing_solution_is_named(tmp_path):
    course = small_course(tmp_path / "course", "")
    Path(course.exercises[0].solution).unlink()

    with pytest.raises(CourseError, match=r"solution\.py cannot be read"):
        publish(course, tmp_path / "out")


def test_an_unusable_folder_is_the_callers_mistake(tmp_path):
    course = small_course(tmp_path / "course", MARKED)
    (tmp_path / "out").write_text("a file")

    with pytest.raises(UsageError, match="out cannot be written"):
        publish(course, tmp_path / "out")


def test_only_whole_files_are_left(tmp_path):
    publish(small_course(tmp_path / "course", MARKED), tmp_path / "out")

    assert sorted(contents(tmp_path / "out")) == ["README.md", "one.ipynb", "one.py", "previous_chapters.py"]
    assert json.loads((tmp_path / "out" / "one.ipynb").read_text(encoding="utf-8"))


# Some of the exercises ------------------------------------------------------------------------------------------------


def test_one_exercise_alone_is_published_without_the_others(tmp_path):
    publish(load_course(SOLUTIONS), tmp_path / "week", ["deep_network"])

    assert sorted(contents(tmp_path / "week")) == [
        "README.md", "deep_network.ipynb", "deep_network.py", "previous_chapters.py"
    ]  # fmt: skip
    assert b"residual_add" not in contents(tmp_path / "week")["README.md"]


def test_the_readme_still_tells_of_what_was_published_earlier(published, tmp_path):
    for name in reversed(load_course(SOLUTIONS).names):
        publish(load_course(SOLUTIONS), tmp_path / "exercises", [name])

    assert contents(tmp_path / "exercises") == contents(published)


def test_an_unknown_exercise_is_the_callers_mistake(tmp_path):
    with pytest.raises(UsageError, match="The course has residual_add"):
        publish(load_course(SOLUTIONS), tmp_path / "out", ["no_such"])


def test_a_course_may_have_no_building_blocks(tmp_path):
    course = small_course(tmp_path / "course", MARKED)
    course.building_blocks.unlink()

    publish(course, tmp_path / "out")

    assert sorted(contents(tmp_path / "out")) == ["README.md", "one.ipynb", "one.py"]
    assert b"previous_chapters" not in contents(tmp_path / "out")["README.md"]


# What is refused ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", ["course", "course/one", "."])
def test_students_and_instructors_sides_are_kept_apart(tmp_path, place):
    course = small_course(tmp_path / "course", MARKED)

    with pytest.raises(UsageError, match="lie in each other"):
        publish(course, tmp_path / place)


def test_nothing_is_written_when_the_proof_refuses(tmp_path):
    fault = Fault("one/mistakes/a.py", "points lost for post-norm", "all 3 points", line=7)
    proof = Proof("Small", 2, (ExerciseProof("one", (), (), (fault,) * 5, ()),))

    with pytest.raises(
        CourseError, match=r"not proven[^$]*one/mistakes/a\.py:7: wanted points lost[^$]*\(and 2 more\)"
    ):
        publish(small_course(tmp_path / "course", MARKED), tmp_path / "out", (), lambda: require_proven(proof))

    assert not (tmp_path / "out").exists()


def test_markers_are_looked_at_before_anything_is_proven(tmp_path):
    course = small_course(tmp_path / "course", "def f():\n    # END SOLUTION\n    return 1\n")

    with pytest.raises(CourseError, match=r"solution\.py:2: "):
        publish(course, tmp_path / "out", (), lambda: pytest.fail("was proven"))


def test_a_link_in_place_of_a_stub_is_replaced_not_followed(tmp_path):
    private = tmp_path / "private.txt"
    private.write_text("mine")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "one.py").symlink_to(private)

    publish(small_course(tmp_path / "course", MARKED), tmp_path / "out")

    assert private.read_text() == "mine"
    assert not (tmp_path / "out" / "one.py").is_symlink()


# What is optional, and the knowledge check ----------------------------------------------------------------------------


def test_the_readme_says_what_is_optional(tmp_path):
    publish(made_course(tmp_path / "course"), tmp_path / "out")
    told = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")

    assert "1. `doubled`: Twice; `Tripled` in it is optional\n2. `halved`: Half (optional)\n" in told
    assert "3. `knowledge_check`: Questions (optional); your answers go into `knowledge_check.toml`\n" in told
    assert "counts from the moment you begin it" in told


def test_what_is_switched_off_is_in_no_stub(tmp_path):
    publish(made_course(tmp_path / "course", ["doubled"], []), tmp_path / "out")
    files = contents(tmp_path / "out")

    assert [*files] == ["README.md", "doubled.ipynb", "doubled.py"]
    assert all(b"Tripled" not in data and b"optional" not in data for data in files.values())
    assert files["doubled.py"].endswith(b'raise NotImplementedError("Write this part, then delete this line.")\n')


def test_the_answers_file_is_that_of_the_questions_without_the_key(tmp_path):
    publish(made_course(tmp_path / "course"), tmp_path / "out", ["knowledge_check"])
    files = contents(tmp_path / "out")

    assert [*files] == ["README.md", "knowledge_check.toml"]
    assert files["knowledge_check.toml"].decode() == handout(load_quiz(tmp_path / "course" / "knowledge_check"))
    assert b"x + F(x)" not in files["knowledge_check.toml"]
