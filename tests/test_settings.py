"""`[tool.grade]` of pyproject.toml, and `grade config`: what counts, where it is from, and what no file may say."""

import json
import os
import re
import shutil
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest

from grader import cli
from grader.cli.settings import FILE, known

ALL = """\
[tool.grade]
attempt = "best"
course = "private"
exit-zero = true
fail-under = 80
format = ["junit", "github"]
gradebook = "class/gradebook.db"
install = "residual-grader==1"
jobs = 3
layout = "plain"
only = ["residual_add"]
out = "build/grades"
pattern = "(?P<student_id>.*)"
quiet = true
roster = "class.csv"
seeds = 5
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A folder with a folder in it, in which the command runs."""
    for name in [name for name in os.environ if name.startswith("GRADE_")]:
        monkeypatch.delenv(name)
    (tmp_path / "project" / "inner").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "project" / "inner")
    return tmp_path / "project"


@pytest.fixture
def call(project, monkeypatch, capfd):
    """Runs the command in this process; returns exit code, stdout and stderr."""

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["grade", *map(str, arguments)])
        capfd.readouterr()
        with pytest.raises(SystemExit) as caught:
            cli.main()
        return caught.value.code, *capfd.readouterr()

    return run


@pytest.fixture
def config(call):
    """Runs `grade config --json`; returns the settings by their key."""

    def read(*arguments):
        code, out, _ = call(*(one for one in arguments if one == "--isolated"), "config", "--json",
                            *(one for one in arguments if one != "--isolated"))  # fmt: skip
        assert code == 0
        return {row["key"]: row for row in json.loads(out)["settings"]}

    return read


def write(folder, text):
    (folder / FILE).write_text(text, encoding="utf-8")
    return folder / FILE


# What counts ----------------------------------------------------------------------------------------------------------


def test_every_setting_may_stand_in_the_file_and_paths_count_from_it(project, config):
    file = write(project, ALL)

    found = config()

    assert {row["from"] for row in found.values()} == {"file"}
    assert {row["name"] for row in found.values()} == {str(file)}
    paths = {key: Path(found[key]["value"]) for key in ("course", "gradebook", "out", "roster")}
    assert {key: project / "inner" / path for key, path in paths.items()} == {
        "course": project / "private",
        "gradebook": project / "class" / "gradebook.db",
        "out": project / "inner" / ".." / "build" / "grades",
        "roster": project / "class.csv",
    }
    others = {key: row["value"] for key, row in found.items() if key not in paths}
    assert others == {
        "attempt": "best", "exit-zero": True, "fail-under": 80, "format": ["junit", "github"], "jobs": 3,
        "install": "residual-grader==1", "layout": "plain", "only": ["residual_add"],
        "pattern": "(?P<student_id>.*)", "quiet": True, "seeds": 5,
    }  # fmt: skip


def test_an_option_counts_before_its_variable_and_that_before_the_file_and_that_before_the_default(
    project, call, config, monkeypatch
):
    assert config()["fail-under"] == {"key": "fail-under", "value": 100, "from": "default", "name": None}
    file = write(project, "[tool.grade]\nfail-under = 80\nout = 'a'\n")
    assert config()["fail-under"] == {"key": "fail-under", "value": 80, "from": "file", "name": str(file)}
    monkeypatch.setenv("GRADE_FAIL_UNDER", "60")
    assert config()["fail-under"]["value"] == 60
    assert config()["fail-under"]["name"] == "GRADE_FAIL_UNDER"
    code, _, words = call("submit", "nowhere", "--fail-under", "200")
    assert (code, "200" in words) == (2, True)


@pytest.mark.parametrize("key", sorted(known()))
def test_every_setting_has_a_variable(config, monkeypatch, key):
    setting = known()[key]
    value = "1" if setting.is_flag else "7" if key in ("jobs", "seeds", "fail-under") else None
    value = value or {"format": "junit", "attempt": "last"}.get(key, "word")
    monkeypatch.setenv(f"GRADE_{key.upper().replace('-', '_')}", value)

    assert config()[key]["from"] == "environment"


def test_a_setting_is_the_same_in_every_command():
    found = {}
    for command in cli.cli.commands.values():
        for option in command.params:
            if getattr(option, "key", None) in known():
                same = {"type": option.type.to_info_dict(), "multiple": option.multiple, "default": option.default}
                found.setdefault(option.key, set()).add(str(same))

    assert found.keys() == known().keys()
    assert [key for key, kinds in found.items() if len(kinds) > 1] == []


def test_the_nearest_file_with_a_table_counts(project, config):
    write(project.parent, "[tool.grade]\njobs = 1\n")
    write(project, "[tool.grade]\njobs = 2\n")
    write(project / "inner", "[tool.other]\njobs = 3\n")

    assert config()["jobs"]["value"] == 2


def test_isolated_reads_no_file(project, config, monkeypatch):
    write(project, "[tool.grade\n")

    assert config("--isolated")["jobs"]["from"] == "default"
    monkeypatch.setenv("GRADE_ISOLATED", "1")
    assert config()["jobs"]["from"] == "default"


def test_the_terminal_shows_each_setting_and_its_origin(project, call, monkeypatch):
    monkeypatch.setenv("COLUMNS", "300")
    monkeypatch.setenv("GRADE_JOBS", "4")
    file = write(project, "[tool.grade]\nfail-under = 80\n")

    rows = [" ".join(row.split()) for row in call("config")[1].splitlines()]

    assert "jobs 4 environment: GRADE_JOBS" in rows
    assert f"fail-under 80.0 {file}" in rows
    assert 'attempt "on_time" default' in rows
    assert rows[-1] == f"[tool.grade] is read from {file}"


def test_the_course_in_force_is_told_also_where_nobody_named_it(project, config, solutions):
    shutil.copytree(solutions, project / "solutions")

    assert config()["course"] == {"key": "course", "value": str(project / "solutions"), "from": "default", "name": None}


# What is refused ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("fail_under = 80", "the unknown key 'fail_under'. Did you mean 'fail-under'?"),
        ("corse = 'x'", "the unknown key 'corse'. Did you mean 'course'?"),
        ("zzzz = 1", "the unknown key 'zzzz'. Known are attempt, course,"),
        ("fail-under = '80'", 'fail-under in [tool.grade] has to be a number; it is "80".'),
        ("fail-under = true", "fail-under in [tool.grade] has to be a number; it is true."),
        ("fail-under = nan", "fail-under in [tool.grade] has to be a number; it is nan."),
        ("fail-under = 101", "fail-under in [tool.grade]: 101"),
        ("jobs = 1.5", "jobs in [tool.grade] has to be a whole number; it is 1.5."),
        ("jobs = true", "jobs in [tool.grade] has to be a whole number; it is true."),
        ("jobs = 0", "jobs in [tool.grade]: 0"),
        ("exit-zero = 1", "exit-zero in [tool.grade] has to be true or false; it is 1."),
        ("format = 'junit'", 'format in [tool.grade] has to be a list of texts, `["…"]`; it is "junit".'),
        ("format = [1]", "format in [tool.grade] has to be a list of texts"),
        ("format = ['yunit']", "format in [tool.grade]: 'yunit' is not one of"),
        ("attempt = 'first'", "attempt in [tool.grade]: 'first' is not one of"),
        ("course = ''", "course in [tool.grade] has to be a text"),
        ("course = []", "course in [tool.grade] has to be a text"),
    ],
)
def test_what_no_option_takes_is_refused_with_file_and_key(project, call, line, words):
    file = write(project, f"[tool.grade]\n{line}\n")

    for command in (["config"], ["submit", "."], ["new", "x"]):
        code, out, told = call(*command)
        assert (code, out) == (2, "")
        assert words in told
        assert str(file) in told


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"[tool.grade", "is not TOML"),
        (b"[tool.grade]\nout = '\xff'", "is not TOML"),
        (b"a = " + b"[" * 100_000, "is not TOML"),
        (b"#" * 1_000_001, "is larger than"),
        (b"[tool]\ngrade = 3", "[tool.grade] has to be a table; it is 3."),
    ],
    ids=["unfinished", "bytes", "deep", "large", "no table"],
)
def test_a_file_that_cannot_be_read_is_a_wrong_call(project, call, data, words):
    (project / FILE).write_bytes(data)

    code, _, told = call("config")

    assert (code, words in told) == (2, True)


def test_a_file_without_tool_is_not_ours(project, config):
    write(project, "tool = 3\n")

    assert config()["jobs"]["from"] == "default"


def test_help_is_shown_whatever_the_file_says(project, call):
    write(project, "[tool.grade\n")

    assert call("submit", "--help")[0] == 0


def test_a_shell_completes_whatever_the_file_says(project):
    write(project, "[tool.grade\n")

    with cli.submit.make_context("submit", ["."], resilient_parsing=True) as context:
        assert context.params["fail_under"] == 100


@pytest.mark.parametrize("value", ["..", ".", "../elsewhere", "a/../..", "/elsewhere"])
def test_results_stay_in_the_project(project, call, value):
    write(project, f"[tool.grade]\nout = '{value}'\n")

    code, _, told = call("config")

    assert code == 2
    assert f"out in [tool.grade]: {value} does not lie below" in told


# What was handed in says nothing --------------------------------------------------------------------------------------


@pytest.fixture
def handed_in(project, solutions, right, monkeypatch):
    """A submission with a course and settings in it; beside it the instructor's course. We stand in the submission."""
    evil = project / "inner" / "course"
    shutil.copytree(solutions, evil)
    (evil / "course.toml").write_text('name = "Evil"\nexercises = ["residual_add"]\nseed = "known"\n')
    shutil.copytree(solutions, project / "solutions")
    (project / "inner" / "residual_add.py").write_text(right.replace("return x +", "return"))
    write(project / "inner", "[tool.grade]\ncourse = 'course'\nexit-zero = true\n")
    return project / "inner"


def test_a_submission_chooses_neither_its_course_nor_what_is_enough(handed_in, call, launch, monkeypatch):
    monkeypatch.setattr("grader.sandbox.launch.launcher", lambda: nullcontext(launch))

    code, _, told = call("submit", ".", "--out", handed_in.parent / "out")

    assert code == 1
    assert f"{handed_in / FILE} lies in what was handed in, so its [tool.grade] does not count." in told
    record = json.loads((handed_in.parent / "out" / "grade.json").read_text(encoding="utf-8"))
    assert record["course"]["name"] == "One"


@pytest.mark.parametrize("path", [".", "..", "../inner", "../link"])
def test_settings_of_what_was_handed_in_do_not_count_however_it_is_named(handed_in, config, path):
    (handed_in.parent / "link").symlink_to(handed_in)

    found = config(path)

    assert {found["course"]["from"], found["exit-zero"]["from"]} == {"default"}
    assert not Path(found["course"]["value"]).is_relative_to(handed_in)


def test_a_link_to_settings_that_were_handed_in_does_not_count(handed_in, config, tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / FILE).symlink_to(handed_in / FILE)
    monkeypatch.chdir(tmp_path / "here")

    assert config(str(handed_in))["exit-zero"]["from"] == "default"
    assert config()["exit-zero"]["from"] == "file"


def test_a_link_in_what_was_handed_in_to_settings_elsewhere_does_not_count(handed_in, config, tmp_path):
    (handed_in / FILE).unlink()
    (handed_in / FILE).symlink_to(write(tmp_path, "[tool.grade]\nexit-zero = true\n"))
    write(handed_in.parent, "[tool.grade]\nfail-under = 80\n")

    assert config(".")["exit-zero"]["from"] == "default"


def test_settings_above_what_was_handed_in_count(handed_in, config):
    write(handed_in.parent, "[tool.grade]\nexit-zero = false\ncourse = 'solutions'\n")

    found = config(".")

    assert (found["exit-zero"]["value"], found["exit-zero"]["from"]) == (False, "file")
    assert found["course"]["value"] == str(handed_in.parent / "solutions")


def test_settings_lead_to_no_course_in_what_was_handed_in(handed_in, call, launch):
    file = write(handed_in.parent, "[tool.grade]\ncourse = 'inner/course'\n")

    code, _, told = call("submit", ".")

    assert code == 2
    assert f"{file}: course in [tool.grade]: {handed_in / 'course'} lies in what was handed in" in told


def test_broken_settings_of_a_submission_are_nobodys_trouble(handed_in, call):
    write(handed_in, "[tool.grade\n")

    code, _, told = call("config", ".")

    assert (code, told) == (0, "")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes")
def test_a_pipe_of_that_name_holds_nobody_up(project, config):
    os.mkfifo(project / "inner" / FILE)

    assert config()["jobs"]["from"] == "default"


# The guide ------------------------------------------------------------------------------------------------------------


def test_every_setting_is_explained_and_no_other():
    guide = (Path(__file__).parents[1] / "docs" / "settings.md").read_text(encoding="utf-8")

    rows = re.findall(r"^\| (`.*?) \| ", guide, re.MULTILINE)
    assert sorted(key for row in rows for key in re.findall(r"`([a-z-]+)`", row)) == sorted(known())
