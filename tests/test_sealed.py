"""Sealed checks: they grade as the open course does, and without the key nothing private can be read anywhere."""

import ast
import base64
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from cryptography.fernet import Fernet

from grader import cli
from grader.authoring.seal import seal
from grader.checks import judge as judging
from grader.errors import CourseError, GradeError, SandboxError, UsageError
from grader.intake import accept
from grader.model.course import load_course
from grader.model.job import Job
from grader.model.record import for_student, to_json
from grader.pipeline import JUDGE, judge
from grader.sandbox.launch import SpawnLauncher
from grader.sandbox.spawned import SpawnedWorkers
from grader.sealed import KEY, new_key, read_sealed

ROOT = Path(__file__).parents[1]
GIVEN = "check_is_there"
SECRETS = {  # by where they stand in a course
    "the seed": "canary-of-the-seed-0vKc3uXwR9",
    "a hidden check": "canary_of_a_hidden_check",
    "what only a hidden check uses": "canary_of_a_helper",
    "a comment": "canary_of_a_comment",
    "the solution": "canary_of_the_solution",
    "a late student": "canary_of_a_student",
    "a mistake": "canary_of_a_mistake",
}
RIGHT_KEY = new_key()
FILES = {
    "course.toml": f'name = "Small"\nexercises = ["doubled"]\nseed = "{SECRETS["the seed"]}"\n'
    '[deadline]\nat = 2026-10-04T23:59:00\ntime_zone = "Europe/Berlin"\n'
    f"[deadline.extensions]\n{SECRETS['a late student']} = 3\n",
    "doubled/exercise.toml": 'title = "Doubled"\ndefines = ["Doubled"]\nformula = "2·x"\n',
    "doubled/solution.py": '''\
"""Exercise."""

from torch import nn


class Doubled(nn.Module):
    """Twice the input."""

    def forward(self, x):
        # BEGIN SOLUTION
        canary_of_the_solution = 2
        return canary_of_the_solution * x
        # END SOLUTION
''',
    "doubled/checks.py": '''\
import torch

from grader.checks import check, expect

TOLD = "seen"  # canary_of_a_comment
canary_of_a_helper = 2


@check(points=1, concept="shapes", visible=True)
def check_is_there(student):
    """It can be called."""
    student.Doubled()(torch.ones(2))
    student.remark(TOLD)


@check(points=2, concept="the formula")
def check_doubles(student, draw, reference):
    """It doubles."""
    canary_of_a_hidden_check = draw.input(3, 4)
    doubled = student.Doubled()(canary_of_a_hidden_check)
    told = {"happened": "It does not.", "expected": "Twice the input.", "tag": "wrong-scale"}
    expect(doubled).to_equal(canary_of_a_helper * canary_of_a_hidden_check, **told)
    expect(doubled).to_equal(reference.Doubled()(canary_of_a_hidden_check), **told)
''',
    "doubled/mistakes/one.py": "# canary_of_a_mistake\n",
}
FIXTURE = """\
import pytest


@pytest.fixture
def broken():
    raise ValueError("canary_of_a_comment")


"""
RIGHT = "from torch import nn\n\n\nclass Doubled(nn.Module):\n    def forward(self, x):\n        return x + x\n"
WRONG = RIGHT.replace("x + x", "3 * x")
CURIOUS = RIGHT.replace("        return", """\
        import gc, os, sys
        print(dict(os.environ), sys.argv, [one for one in gc.get_objects() if isinstance(one, str | dict)])
        return""")  # fmt: skip


@pytest.fixture
def course_with(tmp_path):
    def course(**changes):
        for name, text in {**FILES, **{f"doubled/{name}.py": text for name, text in changes.items()}}.items():
            path = tmp_path / "private" / "solutions" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return load_course(tmp_path / "private" / "solutions")

    return course


@pytest.fixture
def sealed(course_with, tmp_path):
    """The sealed file of the small course."""
    return written(tmp_path, seal(course_with(), RIGHT_KEY)[0])


def written(folder, data):
    path = folder / "checks.sealed"
    path.write_bytes(data)
    return path


def opened(path, key=RIGHT_KEY):
    return read_sealed(path).course(key, path)


def found_in(text):
    return [where for where, secret in SECRETS.items() if secret in text]


def files_below(*folders):
    return {path: path.read_bytes() for folder in folders for path in folder.rglob("*") if path.is_file()}


# -- with the key ------------------------------------------------------------------------------------------------------


def test_the_sealed_course_is_the_open_one(course_with, tmp_path):
    course = course_with()

    found = opened(written(tmp_path, seal(course, RIGHT_KEY)[0]))

    assert (found.digest, found.seed, found.deadline) == (course.digest, course.seed, course.deadline)
    assert [one.name for one in found.exercises] == ["doubled"]
    assert found.held == {name: text.encode() for name, text in FILES.items() if "mistakes" not in name}
    assert found.sealed
    assert found.held_back == 0


@pytest.mark.parametrize("name", ["right", "wrong"])
def test_the_record_is_that_of_the_open_course(grade, residual_course, tmp_path, request, name):
    source = request.getfixturevalue(name)
    course = opened(written(tmp_path, seal(residual_course, RIGHT_KEY)[0]))

    assert to_json(grade(source, course=course)) == to_json(grade(source))


def test_a_sealed_quiz_grades_as_the_open_one(grade, tmp_path):
    shutil.copytree(ROOT / "solutions" / "knowledge_check", tmp_path / "solutions" / "knowledge_check")
    settings = 'name = "Quiz"\nexercises = ["knowledge_check"]\nseed = "s"\n'
    (tmp_path / "solutions" / "course.toml").write_text(settings)
    course = load_course(tmp_path / "solutions")
    found = read_sealed(written(tmp_path, seal(course, RIGHT_KEY)[0]))
    answers = {"knowledge_check.toml": b'unknown = "x"\n'}

    assert found.held_back == len(grade(answers, course=course).exercises[0].checks)
    assert to_json(grade(answers, course=found.course(RIGHT_KEY, tmp_path))) == to_json(grade(answers, course=course))


def test_the_judge_writes_nothing(launch, write, sealed):
    course = opened(sealed)
    submission = accept(write({"doubled.py": WRONG}), course)

    with launch.judge("tests.watched_judge:main") as line:
        finished = judge(line, Job(course, submission), ignored)

    assert [check.verdict for check in finished.results[0].checks] == ["passed", "failed"]


def test_a_judge_that_writes_would_be_seen(launch, write, course_with, tmp_path):
    checks = FILES["doubled/checks.py"].replace("    student.remark(TOLD)", f"    open({str(tmp_path / 'x')!r}, 'w')")
    course = course_with(checks=checks)
    submission = accept(write({"doubled.py": RIGHT}), course)

    with launch.judge("tests.watched_judge:main") as line, pytest.raises(SandboxError):
        judge(line, Job(course, submission), ignored)


def ignored(_):
    """Nobody is told how far it is."""


def test_nothing_is_in_the_clear_on_disk_or_in_what_is_printed(sealed, course_with, tmp_path):
    shutil.rmtree(tmp_path / "private")
    temporary, here = tmp_path / "temporary", tmp_path / "here"
    for folder in (temporary, here):
        folder.mkdir()
    (here / "doubled.py").write_text(CURIOUS)
    shared = set(Path("/dev/shm").iterdir()) if Path("/dev/shm").is_dir() else set()
    options = ["--sealed", sealed, "--out", here / "out", "--format", "junit", "--debug"]
    command = [sys.executable, "-m", "grader", "submit", here, *options]
    env = {**os.environ, KEY: RIGHT_KEY, "TMPDIR": str(temporary), "PYTHONPATH": str(ROOT)}

    done = subprocess.run(command, cwd=here, env=env, capture_output=True, timeout=120, check=False)

    left = files_below(tmp_path)
    everything = b"\n".join([done.stdout, done.stderr, *left.values(), *(str(path).encode() for path in left)])
    assert done.returncode == 0, done.stderr
    assert b"3.0 / 3" in done.stdout
    assert here / "out" / "grade.json" in left
    assert found_in(everything.decode("utf-8", "replace")) == []
    assert RIGHT_KEY.encode() not in everything
    assert base64.b64encode(SECRETS["the seed"].encode())[:-4] not in everything
    assert not [path for path in shared ^ set(Path("/dev/shm").iterdir()) if path.name.startswith("grade")]


def test_no_process_that_is_started_is_given_the_key(sealed, write, tmp_path, monkeypatch, capfd):
    started = []

    class Seen(subprocess.Popen):
        def __init__(self, command, **options):
            started.append((command, options.get("env") or dict(os.environ)))
            super().__init__(command, **options)

    monkeypatch.setattr(subprocess, "Popen", Seen)
    monkeypatch.setattr("grader.sandbox.confine.privileges.not_dumpable", lambda: None)  # of this process
    monkeypatch.setenv(KEY, RIGHT_KEY)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["grade", "submit", str(write({"doubled.py": RIGHT})), "--sealed", str(sealed)])

    with pytest.raises(SystemExit) as ended:
        cli.main()

    assert ended.value.code == 0, capfd.readouterr().err
    assert len(started) >= 2  # the fork server, and what parses
    assert RIGHT_KEY not in repr(started)
    assert KEY not in os.environ


@pytest.mark.skipif(sys.platform != "linux", reason="prctl")
def test_a_neighbour_cannot_look_into_the_process_that_has_the_key():
    program = (
        "import ctypes; from grader.cli.sealing import take_key; found = take_key();"
        "print(found, ctypes.CDLL(None).prctl(3, 0, 0, 0, 0))"
    )
    env = {**os.environ, KEY: RIGHT_KEY, "PYTHONPATH": str(ROOT)}

    done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, check=True)

    assert done.stdout.split() == [RIGHT_KEY, "0"]


def test_where_a_submission_could_read_them_they_stay_sealed(sealed, write):
    course = opened(sealed)
    submission = accept(write({"doubled.py": RIGHT}), course)

    with SpawnLauncher().judge(JUDGE) as line, pytest.raises(GradeError, match="were not opened"):
        judge(line, Job(course, submission), ignored)


def test_the_visible_checks_run_everywhere(sealed):
    judging.refuse_to_open(opened(sealed, None), SpawnedWorkers())


@pytest.mark.parametrize(
    "changes",
    [
        {"checks": FILES["doubled/checks.py"] + "\nraise ValueError(canary_of_a_helper, 'canary_of_a_comment')\n"},
        {"checks": FIXTURE + FILES["doubled/checks.py"].replace("(student)", "(student, broken)")},
        {"solution": FILES["doubled/solution.py"] + "\nraise ValueError('canary_of_the_solution')\n"},
    ],
    ids=["checks", "fixture", "solution"],
)
def test_an_error_of_a_sealed_file_is_told_without_what_stands_there(launch, write, course_with, tmp_path, changes):
    course = course_with(**changes)
    found = opened(written(tmp_path, seal(course, RIGHT_KEY)[0]))
    submission = accept(write({"doubled.py": RIGHT}), course)
    told = []

    for one in (course, found):
        with launch.judge(JUDGE) as line, pytest.raises(GradeError) as caught:
            judge(line, Job(one, submission), ignored)
        told.append(f"{caught.value} {caught.value.__notes__}")

    assert found_in(told[0]) != []
    assert found_in(told[1]) == []
    assert "doubled/" in told[1]


def test_a_course_in_an_error_says_nothing_of_its_files(sealed):
    assert found_in(repr(opened(sealed))) == []


# -- without the key ---------------------------------------------------------------------------------------------------


def test_what_is_in_the_clear_is_the_visible_side(sealed):
    found = read_sealed(sealed)

    assert found_in(sealed.read_text()) == []
    assert found.held_back == 1
    assert set(found.visible) == {"course.toml", *(f"doubled/{name}" for name in
                                                   ("checks.py", "exercise.toml", "solution.py"))}  # fmt: skip
    assert GIVEN in found.visible["doubled/checks.py"]


def test_the_whole_course_sealed_holds_nothing_private_in_the_clear():
    course = load_course(ROOT / "solutions")

    data, _ = seal(course, RIGHT_KEY)

    clear = msgspec.json.decode(data)
    everything = "\n".join(text for name, text in clear["visible"].items()) + clear["name"]
    hidden = {
        f"def {one.name}("
        for exercise in course.exercises
        for one in ast.parse(exercise.checks.read_text()).body
        if isinstance(one, ast.FunctionDef) and one.name.startswith("check_")
        if "visible=True" not in ast.unparse(one.decorator_list[0])
    }
    blocks = [
        block.rstrip()
        for exercise in course.exercises
        for block in re.findall(r"# BEGIN SOLUTION.*?\n(.*?)# END SOLUTION", exercise.solution.read_text(), re.DOTALL)
    ]
    assert len(hidden) > 30
    assert len(blocks) >= len(course.exercises)
    assert [secret for secret in (course.seed, *hidden, *blocks) if secret in everything] == []
    assert set(clear) == {"schema", "name", "digest", "held_back", "visible", "key_id", "sealed"}


def test_the_visible_checks_run_and_the_others_are_announced(sealed, grade, monkeypatch):
    record = grade({"doubled.py": WRONG}, course=opened(sealed, None))

    assert [check.name for check in record.exercises[0].checks] == ["is_there"]
    assert (record.points, record.max_points) == (1, 1)
    assert record.course.held_back == 1
    assert record.course.name == "Small (1 of 2 checks)"
    assert found_in(to_json(for_student(record)).decode()) == []


def test_the_terminal_says_what_is_held_back(sealed, write, tmp_path, call):
    done = call("submit", write({"doubled.py": WRONG}), "--sealed", sealed, "--quiet")

    assert done.out.splitlines() == ["1 check shown; 1 run where the key is", "total  1.0 / 1"]
    assert "1 check, which run where the key is" in (tmp_path / "grade-out" / "report.html").read_text()


def test_checks_of_a_part_that_is_switched_off_are_not_counted(course_with, tmp_path):
    of_a_part = '\n\n@check(points=1, concept="x", part="Half")\ndef check_halves(student):\n    """It halves."""\n'
    root = Path(course_with(checks=FILES["doubled/checks.py"] + of_a_part).root)
    (root / "doubled" / "exercise.toml").write_text(f'{FILES["doubled/exercise.toml"]}parts = ["Half"]\n')

    assert read_sealed(written(tmp_path, seal(load_course(root), RIGHT_KEY)[0])).held_back == 1


def test_a_course_that_shows_no_check_runs_with_the_key_only(course_with, tmp_path):
    data, notes = seal(course_with(checks=FILES["doubled/checks.py"].replace(", visible=True", "")), RIGHT_KEY)
    path = written(tmp_path, data)

    assert "nothing runs without the key" in notes[0]
    assert opened(path).exercise("doubled")
    with pytest.raises(CourseError, match=f"without its key in {KEY}"):
        opened(path, None)


# -- what is not as it should be ---------------------------------------------------------------------------------------


def changed(path, **fields):
    path.write_text(json.dumps({**json.loads(path.read_text()), **fields}))


def flipped(path):
    token = json.loads(path.read_text())["sealed"]
    changed(path, sealed=token[:400] + ("A" if token[400] != "A" else "B") + token[401:])


@pytest.mark.parametrize(
    ("spoil", "given", "error", "words"),
    [
        (lambda path: None, "", UsageError, "GRADE_KEY is empty"),
        (lambda path: None, "abc", UsageError, "holds no key"),
        (lambda path: None, "ä" * 44, UsageError, "holds no key"),
        (lambda path: None, Fernet.generate_key().decode(), UsageError, "is not the one"),
        (flipped, None, CourseError, "is damaged"),
        (lambda path: path.write_bytes(path.read_bytes()[:-100]), None, CourseError, "is damaged"),
        (lambda path: changed(path, held_back="many"), None, CourseError, "is damaged"),
        (lambda path: changed(path, schema="grade/sealed/v2"), None, CourseError, "another version"),
        (lambda path: changed(path, schema="grade/record/v1"), None, UsageError, "no file of `grade seal`"),
        (lambda path: path.write_bytes(b"\xff\x00"), None, UsageError, "no file of `grade seal`"),
        (lambda path: path.unlink(), None, UsageError, "cannot be read"),
    ],
    ids=["empty", "short", "letters", "another", "flipped", "cut", "field", "version", "record", "binary", "missing"],
)
def test_a_wrong_key_or_file_is_told_in_a_sentence(sealed, spoil, given, error, words):
    spoil(sealed)

    with pytest.raises(error, match=words) as caught:
        opened(sealed, RIGHT_KEY if given is None else given)

    assert "\n" not in str(caught.value)
    assert RIGHT_KEY not in str(caught.value)


def test_what_is_in_the_clear_counts_for_nothing_with_the_key(sealed):
    changed(sealed, visible={"course.toml": "planted"}, digest="planted", name="planted", held_back=0)

    assert opened(sealed).name == "Small"


def test_without_the_library_it_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "cryptography", None)

    with pytest.raises(GradeError, match=r'pip install "residual-grader\[sealed\]"'):
        new_key()


def test_a_file_that_is_no_python_is_not_sealed(course_with):
    with pytest.raises(CourseError, match=r"checks\.py is no Python"):
        seal(course_with(checks="def f(:\n"), RIGHT_KEY)


# -- the commands ------------------------------------------------------------------------------------------------------


class Done(msgspec.Struct):
    code: object
    out: str
    err: str


@pytest.fixture
def call(tmp_path, monkeypatch, capfd):
    """Runs the command in this process; nothing keeps it from being looked at."""
    monkeypatch.setattr("grader.sandbox.confine.privileges.not_dumpable", lambda: None)
    monkeypatch.delenv(KEY, raising=False)
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["grade", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        return Done(ended.value.code, *capfd.readouterr())

    return run


def test_a_new_key_is_the_only_line_on_stdout_and_stands_nowhere_else(course_with, tmp_path, call):
    done = call("seal", "--course", course_with().root)

    (key,) = done.out.splitlines()
    assert done.code == 0
    assert opened(tmp_path / "checks.sealed", key).sealed
    assert key not in done.err
    assert f"secret named {KEY}" in done.err
    assert not [path for path, data in files_below(tmp_path).items() if key.encode() in data]


def test_a_key_that_is_there_is_used_and_not_told(course_with, tmp_path, call, monkeypatch):
    monkeypatch.setenv(KEY, f"{RIGHT_KEY}\n")

    done = call("seal", "--course", course_with().root, "--out", "made.sealed")

    assert (done.code, done.out) == (0, "")
    assert RIGHT_KEY not in done.err
    assert opened(tmp_path / "made.sealed").sealed


@pytest.mark.parametrize(
    ("options", "words"),
    [(["--staff"], "--staff writes what only staff may read"), (["--course", "."], "Give one of the two")],
    ids=["staff", "course"],
)
def test_options_that_contradict_it_are_refused(sealed, call, tmp_path, options, words):
    done = call("submit", tmp_path, "--sealed", sealed, *options)

    assert done.code == 2
    assert words in done.err
