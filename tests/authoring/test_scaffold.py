"""`grade new`: an exercise that is proven from the start, and a course.toml that stays as its author wrote it."""

import sys
import tomllib
from contextlib import nullcontext

import pytest

from grader import cli
from grader.authoring.listing import with_exercise
from grader.authoring.scaffold import FILES, class_name, scaffold
from grader.authoring.verify import verify
from grader.errors import CourseError, UsageError
from grader.model.course import load_course

COURSE = '# ours\nname = "New"\nexercises = []  # none yet\nseed = "a-private-seed-of-ours"\n'


@pytest.fixture
def root(tmp_path):
    root = tmp_path / "solutions"
    root.mkdir()
    (root / "course.toml").write_text(COURSE)
    return root


# The folder -----------------------------------------------------------------------------------------------------------


def test_a_new_exercise_is_proven_and_nothing_is_uncovered(root, launch):
    scaffold(load_course(root), "rms_norm")

    proof = verify(load_course(root), ["rms_norm"], 2, launch)

    (exercise,) = proof.exercises
    assert (proof.proven, proof.faults, exercise.warnings) == (True, (), ())
    assert [judged.kind for judged in exercise.files] == ["solution", "stub", "mistake", "rewrite"]


def test_says_what_it_wrote(root):
    written = scaffold(load_course(root), "rms_norm")

    assert written == [*(root / "rms_norm" / file for file in FILES), root / "course.toml"]
    assert all(path.is_file() for path in written)


def test_a_second_exercise_stands_behind_the_first(root):
    for name in ("first", "second"):
        scaffold(load_course(root), name)

    assert [one.name for one in load_course(root).exercises] == ["first", "second"]
    assert (
        (root / "course.toml").read_text().startswith('# ours\nname = "New"\nexercises = ["first", "second"]  # none')
    )


@pytest.mark.parametrize(
    ("name", "main"), [("rms_norm", "RmsNorm"), ("A2_b", "A2B"), ("net", "Net"), ("myNet", "MyNet")]
)
def test_the_class_is_named_after_the_exercise(name, main):
    assert class_name(name) == main


@pytest.mark.parametrize("name", ["", "a-b", "1st", "_x", "class", "true", "größe", "a b", "../x", "a\n"])
def test_what_is_no_identifier_is_refused(root, name):
    with pytest.raises(UsageError, match="cannot be the name of an exercise"):
        scaffold(load_course(root), name)

    assert [path.name for path in root.iterdir()] == ["course.toml"]


@pytest.mark.parametrize("name", ["torch", "queue", "previous_chapters", "README"])
def test_a_name_that_would_hide_another_file_is_refused(root, name):
    with pytest.raises(UsageError, match="would hide"):
        scaffold(load_course(root), name)


@pytest.mark.parametrize("name", ["net", "Net"])
def test_a_name_that_is_taken_is_refused_and_nothing_is_changed(root, name):
    (root / "net").mkdir()

    with pytest.raises(UsageError, match="is there already"):
        scaffold(load_course(root), name)

    assert (root / "course.toml").read_text() == COURSE
    assert list((root / "net").iterdir()) == []


# The list -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("exercises = []", 'exercises = ["new"]'),
        ("exercises = [\n  # none\n]", 'exercises = ["new"\n  # none\n]'),
        ('exercises = ["a"]', 'exercises = ["a", "new"]'),
        ("exercises=['a', \"b\"] # [x]", 'exercises=[\'a\', "b", "new"] # [x]'),
        ('exercises = ["a", "b",]', 'exercises = ["a", "b", "new",]'),
        ('exercises = [\n    "a",\n    "b",\n]', 'exercises = [\n    "a",\n    "b",\n    "new",\n]'),
        ('exercises = [\n    "a",\n    "b"\n]', 'exercises = [\n    "a",\n    "b",\n    "new",\n]'),
        (
            'exercises = [\n    "a",  # "first"\n    "b"  # ] of b\n    # "c"\n]',
            'exercises = [\n    "a",  # "first"\n    "b",  # ] of b\n    "new",\n    # "c"\n]',
        ),
        ('exercises = [\n    "a",\n    "b"]', 'exercises = [\n    "a",\n    "b", "new"]'),
        ('exercises = [\r\n  "a", # x\r\n]\r\n', 'exercises = [\r\n  "a", # x\r\n  "new",\r\n]\r\n'),
    ],
)
def test_comments_and_layout_of_the_list_stay(before, after):
    name, rest = '# my course\nname = "x" # [exercises]\n', "\n[limits]\ncheck_seconds = 3 # slow\n"

    changed = with_exercise(name + before + rest, "new", "course.toml")

    assert changed == name + after + rest
    assert tomllib.loads(changed)["exercises"][-1] == "new"


@pytest.mark.parametrize(
    "text",
    ['"exercises" = ["a"]\n', 'name = """\nexercises = ["x"]\n"""\nexercises = ["a"]\n'],
    ids=["quoted key", "the same words in a text"],
)
def test_a_list_that_is_not_understood_is_left_alone(text):
    with pytest.raises(CourseError, match=r"^course\.toml: .new. cannot be added"):
        with_exercise(text, "new", "course.toml")


# The commands ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def call(launch, monkeypatch, capfdbinary):
    """Runs `grade` in this process; returns exit code, stdout and stderr."""
    monkeypatch.setattr("grader.sandbox.launch.launcher", lambda: nullcontext(launch))

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["grade", *map(str, arguments)])
        capfdbinary.readouterr()
        with pytest.raises(SystemExit) as caught:
            cli.main()
        return caught.value.code, *(text.decode() for text in capfdbinary.readouterr())

    return run


@pytest.mark.parametrize("command", [("new", "net"), ("publish",)], ids=["new", "publish"])
def test_without_a_course_near_by_nothing_is_written(call, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)

    code, out, words = call(*command)

    assert (code, out, list(tmp_path.iterdir())) == (2, "", [])
    assert "no course in or above this folder" in words
    assert "--course" in words


def test_a_folder_that_is_no_course_is_named(call, tmp_path):
    code, out, words = call("new", "net", "--course", tmp_path)

    assert (code, out) == (3, "")
    assert str(tmp_path / "course.toml") in words.replace("\n", "")


def test_what_is_not_proven_is_not_published_unless_asked_for(call, root, tmp_path):
    call("new", "net", "--course", root)
    (root / "net" / "mistakes" / "missing_skip.py").write_text((root / "net" / "solution.py").read_text())
    publish = ("publish", "--course", root, "--out", tmp_path / "out")

    code, out, words = call(*publish)

    assert (code, out, (tmp_path / "out").exists()) == (3, "", False)
    assert "missing_skip.py:1: wanted a mistake that can be judged" in words
    assert call(*publish, "--unproven")[0] == 0
    assert (tmp_path / "out" / "net.py").is_file()


def test_what_is_proven_is_published_and_what_is_not_covered_is_told(call, root, tmp_path):
    call("new", "net", "--course", root)
    (root / "net" / "rewrites" / "torch_add.py").unlink()

    code, out, words = call("publish", "net", "--course", root, "--out", tmp_path / "out")

    assert (code, out.splitlines()) == (
        0,
        [str(tmp_path / "out" / name) for name in ("net.py", "net.ipynb", "README.md")],
    )
    assert "not covered: net has no rewrites" in words
