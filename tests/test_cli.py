"""The `grade` command as a person or a platform calls it."""

import json
import os
import re
import subprocess
import sys
import zipfile
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import nbformat
import pytest

from grader import cli
from grader.model import course

COVER = """
import sys
import grader.cli
try:
    grader.cli.main()
except SystemExit:
    pass
print("LOADED", [name for name in ("torch", "pytest", "jinja2", "nbformat", "rich") if name in sys.modules])
"""


@dataclass
class Done:
    returncode: int
    stdout: bytes
    stderr: bytes


@pytest.fixture
def call(launch, monkeypatch, capfdbinary, tmp_path):
    """Runs the command in this process, with the fork server of all tests, in an empty folder."""
    monkeypatch.setattr("grader.sandbox.launch.launcher", lambda: nullcontext(launch))
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["grade", *map(str, arguments)])
        capfdbinary.readouterr()
        with pytest.raises(SystemExit) as caught:
            cli.main()
        return Done(caught.value.code, *capfdbinary.readouterr())

    return run


@pytest.fixture
def grade(call, solutions):
    return partial(call, "submit", "--course", solutions)


@pytest.fixture
def start(solutions):
    """Runs `grade submit` as a process of its own."""

    def run(*arguments, cwd, **environment):
        command = [sys.executable, "-m", "grader", "submit", "--course", str(solutions), *map(str, arguments)]
        env = {**os.environ, **environment}
        return subprocess.run(command, cwd=cwd, env=env, capture_output=True, timeout=120, check=False)

    return run


@pytest.fixture(scope="module")
def files(write, right, wrong):
    return {name: write({"residual_add.py": source}) for name, source in (("right", right), ("wrong", wrong))}


@pytest.fixture(scope="module")
def broken_course(solutions, tmp_path_factory):
    """A course whose check stops with an error of its author."""
    root = tmp_path_factory.mktemp("broken") / "solutions"
    (root / "residual_add").mkdir(parents=True)
    for name in ("course.toml", "residual_add/exercise.toml", "residual_add/solution.py"):
        (root / name).write_text((solutions / name).read_text())
    (root / "residual_add" / "checks.py").write_text(
        "from grader.checks import check\n\n\n@check(points=1, concept='x')\ndef check_it(student):\n"
        '    """It works."""\n    raise ZeroDivisionError\n'
    )
    return root


# Exit codes -----------------------------------------------------------------------------------------------------------


def test_full_marks_exit_with_0(grade, files):
    assert grade(files["right"]).returncode == 0


def test_lost_points_exit_with_1(grade, files):
    assert grade(files["wrong"]).returncode == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["/does/not/exist"], b"does not exist"),
        ([], b"Missing argument"),
        (["--nonsense", "x"], b"No such option"),
        ([".", "--fail-under", "200"], b"--fail-under"),
    ],
    ids=["path", "argument", "option", "range"],
)
def test_wrong_call_exits_with_2_and_says_why(grade, arguments, words):
    done = grade(*arguments)

    assert (done.returncode, done.stdout) == (2, b"")
    assert words in done.stderr


def test_empty_folder_exits_with_2_and_says_so(grade, tmp_path):
    (tmp_path / "empty").mkdir()

    done = grade("empty")

    assert done.returncode == 2
    assert b"it is empty" in done.stderr


def test_unknown_exercise_exits_with_2_and_suggests_one(grade, files):
    done = grade(files["right"], "--only", "residual_ad")

    assert done.returncode == 2
    assert b"did you mean `residual_add`?" in done.stderr


def test_course_that_is_not_there_exits_with_3(call, files, tmp_path):
    done = call("submit", files["right"], "--course", tmp_path)

    assert done.returncode == 3
    assert b"course.toml" in done.stderr


def test_check_that_cannot_be_carried_out_exits_with_3(call, files, broken_course):
    done = call("submit", files["right"], "--course", broken_course)

    assert done.returncode == 3
    assert b"our fault" in done.stdout


def test_exit_zero_does_not_hide_a_check_that_cannot_be_carried_out(call, files, broken_course):
    assert call("submit", files["right"], "--course", broken_course, "--exit-zero").returncode == 3


def test_exit_zero_hides_lost_points(grade, files):
    assert grade(files["wrong"], "--exit-zero").returncode == 0


@pytest.mark.parametrize(("percent", "code"), [("10", 0), ("99", 1)])
def test_fail_under_sets_the_share_that_is_enough(grade, files, percent, code):
    assert grade(files["wrong"], "--fail-under", percent).returncode == code


# Output ---------------------------------------------------------------------------------------------------------------


def test_json_is_the_record_and_nothing_else(grade, files):
    done = grade(files["wrong"], "--json")

    assert json.loads(done.stdout)["schema"] == "grade/record/v1"
    assert done.stderr == b""


def test_json_has_no_staff_part(grade, files):
    assert json.loads(grade(files["wrong"], "--json").stdout)["staff"] == {}


def test_json_has_the_staff_part_when_asked_for(grade, files):
    done = grade(files["wrong"], "--json", "--staff")

    assert json.loads(done.stdout)["staff"]["course_seed"] == "a-private-seed"


def test_quiet_prints_one_line(grade, files):
    assert grade(files["right"], "--quiet").stdout == b"total  22.0 / 22\n"


def test_out_holds_record_page_and_gitignore(grade, files, tmp_path):
    grade(files["right"], "--out", "there")

    assert sorted(path.name for path in (tmp_path / "there").iterdir()) == [
        ".attempt-of", ".gitignore", "grade.json", "report.html",
    ]  # fmt: skip


def test_gitignore_covers_the_folder(grade, files, tmp_path):
    grade(files["right"])

    assert (tmp_path / "grade-out" / ".gitignore").read_text() == "*\n"


def test_written_record_is_the_printed_one(grade, files, tmp_path):
    done = grade(files["wrong"], "--json")

    assert (tmp_path / "grade-out" / "grade.json").read_bytes() == done.stdout


def test_out_that_cannot_be_written_exits_with_2(grade, files, tmp_path):
    (tmp_path / "out").write_text("a file")

    done = grade(files["right"], "--out", "out")

    assert done.returncode == 2
    assert b"--out" in done.stderr


def test_piped_output_has_no_escape_codes(grade, files):
    done = grade(files["wrong"])

    assert b"\x1b" not in done.stdout + done.stderr


def test_no_color_has_no_colours(grade, files, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("FORCE_COLOR", "1")

    assert not re.search(rb"\x1b\[[0-9;]*[34][0-7]m", grade(files["wrong"]).stdout)


def test_output_names_the_formula_found(grade, files):
    assert b"your code computes   F(Norm(x))" in grade(files["wrong"]).stdout


# Where and what -------------------------------------------------------------------------------------------------------


def test_only_restricts_to_an_exercise(grade, files):
    record = json.loads(grade(files["right"], "--only", "residual_add", "--json").stdout)

    assert [exercise["name"] for exercise in record["exercises"]] == ["residual_add"]


def test_course_is_found_above_the_submission(call, tmp_path, solutions, right, monkeypatch):
    (tmp_path / "solutions").symlink_to(solutions)
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "residual_add.py").write_text(right)
    monkeypatch.chdir("/")

    done = call("submit", tmp_path / "work", "--json", "--out", tmp_path / "out")

    assert json.loads(done.stdout)["course"]["name"] == "One"


def test_course_is_found_above_the_current_directory(call, files, tmp_path, solutions):
    (tmp_path / "solutions").symlink_to(solutions)

    assert json.loads(call("submit", files["right"], "--json").stdout)["course"]["name"] == "One"


def test_course_is_found_in_the_environment(call, files, solutions, monkeypatch):
    monkeypatch.setenv("GRADE_COURSE", str(solutions))

    assert json.loads(call("submit", files["right"], "--json").stdout)["course"]["name"] == "One"


def test_no_course_anywhere_exits_with_3(call, files, tmp_path, monkeypatch):
    monkeypatch.setattr(course, "__file__", str(tmp_path / "grader" / "model" / "course.py"))

    done = call("submit", files["right"])

    assert done.returncode == 3
    assert b"No course was found" in done.stderr


def test_path_with_spaces_and_unicode_works(grade, right, tmp_path):
    folder = tmp_path / "Übung 3 – ärger"
    folder.mkdir()
    (folder / "residual_add.py").write_text(right)

    assert grade(folder, "--out", "out put").returncode == 0


def test_zip_works(grade, right, tmp_path):
    with zipfile.ZipFile(tmp_path / "homework.zip", "w") as archive:
        archive.writestr("homework/residual_add.py", right)

    assert grade("homework.zip").returncode == 0


def test_notebook_works(grade, right, tmp_path):
    cells = [nbformat.v4.new_code_cell(text) for text in (right, "block = ResidualAdd(8, nn.Linear(8, 8))", "1 / 0")]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "residual_add.ipynb")

    done = grade("residual_add.ipynb")

    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Only definitions of the notebook were run" in done.stdout


def test_student_name_is_in_the_record(grade, files):
    done = grade(files["right"], "--student", "Ada L.", "--json")

    assert json.loads(done.stdout)["submission"]["student"] == "Ada L."


# As a process of its own ----------------------------------------------------------------------------------------------


def test_relative_path_and_plain_locale_work(start, right, tmp_path):
    (tmp_path / "residual_add.py").write_text(right)

    done = start("residual_add.py", cwd=tmp_path, LC_ALL="C", LANG="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")

    assert (done.returncode, done.stderr) == (0, b"")
    assert (tmp_path / "grade-out" / "grade.json").is_file()


def test_reader_that_leaves_is_no_error(solutions, files, tmp_path):
    command = f"{sys.executable} -m grader submit {files['right']} --course {solutions} --out {tmp_path / 'out'} | true"

    done = subprocess.run(["sh", "-c", command], capture_output=True, timeout=120, check=False)

    assert done.stderr == b""


# The command itself ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", [["--help"], ["submit", "--help"], ["--version"], ["submit", "/does/not/exist"]])
def test_command_is_light_until_there_is_something_to_grade(arguments):
    done = subprocess.run([sys.executable, "-c", COVER, *arguments], capture_output=True, text=True, check=True)

    assert done.stdout.splitlines()[-1] == "LOADED []"


def test_help_lists_the_exit_codes(call):
    assert b"Exit codes: 0 full marks" in call("--help").stdout


def test_command_never_imports_torch():
    code = "import sys, grader.pipeline, grader.cli; print('torch' in sys.modules)"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout == "False\n"


def test_fault_of_the_grader_exits_with_3_and_is_told_as_such(call, monkeypatch):
    monkeypatch.setattr(cli.cli, "main", lambda **_: 1 / 0)

    done = call("--help")

    assert done.returncode == 3
    assert b"This is a fault of the grader: ZeroDivisionError" in done.stderr


def test_installed_command_is_there():
    assert (Path(sys.executable).parent / "grade").is_file()
