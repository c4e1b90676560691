"""The README is what newcomers believe: its commands, options, figures and pictures are compared with what there is."""

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from grader.cli.batch import batch, intake
from grader.cli.pages import report
from grader.cli.submission import submit
from grader.model.record import json_schema

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
GUIDES = ["README.md", "CONTRIBUTING.md", *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md")))]


def section(title: str) -> str:
    return README.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def commands(text: str) -> list[str]:
    return re.findall(r"```sh\n(.*?)```", text, re.DOTALL)[0].splitlines()


def screenshots():
    spec = importlib.util.spec_from_file_location("screenshots", ROOT / "docs" / "screenshots.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_set_up_is_two_commands():
    first, second = commands(section("Set up"))

    assert (ROOT / first).stat().st_mode & 0o100
    assert " && .venv/bin/python -m pytest" in second


@pytest.mark.skipif(sys.platform == "win32", reason=".ci/run is for bash")
def test_ci_runs_the_commands_of_the_readme():
    listed = subprocess.run([ROOT / ".ci" / "run", "--list"], capture_output=True, text=True, check=True).stdout

    steps = listed.splitlines()
    assert [steps[0], steps[-1]] == commands(section("Set up"))


def test_every_option_is_explained_and_no_other():
    rows = re.findall(r"^\| (`-.*?) \|", section("Use"), re.MULTILINE)
    told = {option for row in rows for option in re.findall(r"-{1,2}[a-z][a-z-]*", row)}

    assert told == {option for parameter in submit.params for option in parameter.opts if option.startswith("-")}


@pytest.mark.parametrize("command", [batch, intake, report], ids=lambda command: command.name)
def test_every_option_for_a_class_is_explained_and_no_other(command):
    guide = (ROOT / "docs" / "classes.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| (`-.*?) \|", guide.partition(f"\n## `grade {command.name}`\n")[2].partition("\n## ")[0], re.M
    )
    told = {option for row in rows for option in re.findall(r"-{1,2}[a-z][a-z-]*", row)}

    assert told == {option for parameter in command.params for option in parameter.opts if option.startswith("-")}


def test_it_is_short_and_its_picture_small():
    assert len(README.splitlines()) <= 120
    assert (ROOT / "docs" / "images" / "report.png").stat().st_size < 200_000


@pytest.mark.parametrize("name", GUIDES)
def test_links_lead_somewhere(name):
    guide = ROOT / name
    targets = re.findall(r"\]\(([^)#]+)\)", guide.read_text(encoding="utf-8"))

    here = [target for target in targets if "://" not in target]
    assert [target for target in here if not (guide.parent / target).exists()] == []


@pytest.mark.parametrize("name", GUIDES)
def test_paths_that_are_named_exist(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    named = re.findall(r"`((?:grader|reports|tests|bench|docs|solutions|exercises|examples)/[\w./-]*)`", text)

    assert [path for path in named if not (ROOT / path).exists()] == []


def test_the_excerpt_is_what_grading_the_example_prints(tmp_path):
    """After an intended change: python docs/screenshots.py, and read the diff."""
    made = screenshots()
    printed = made.grade(tmp_path, "submit", str(ROOT / "examples" / "submission"), "--exit-zero")

    assert made.shown_in_readme() == made.excerpt(printed)


def test_the_published_schema_is_that_of_the_record():
    assert json.loads((ROOT / "docs" / "record.schema.json").read_text(encoding="utf-8")) == json_schema()
