"""`grade ci github --sealed`: students' repositories get the sealed file, and one step of their workflow the key."""

import json
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
import yaml
from test_workflow_files import GITHUB, TIMEOUT, ZIZMOR, said

from grader.authoring.packs.sealed import SEALED, sealed_pack
from grader.authoring.seal import seal
from grader.cli.packs import ci
from grader.errors import CourseError, UsageError
from grader.model.course import load_course
from grader.sealed import KEY, new_key

ROOT = Path(__file__).parents[1]
TEMPLATES = ROOT / "grader" / "authoring" / "packs" / "templates"
PLAIN, WITH_KEY = (TEMPLATES / kind / "student/.github/workflows/grade.yml" for kind in ("github", "github-sealed"))
GRADER = "residual-grader==0.1.0"


@pytest.fixture(scope="module")
def course():
    return load_course(ROOT / "solutions")


@pytest.fixture(scope="module")
def sealed(course, tmp_path_factory):
    path = tmp_path_factory.mktemp("sealed") / "made.sealed"
    path.write_bytes(seal(course, new_key())[0])
    return path


@pytest.fixture(scope="module")
def files(course, sealed):
    return sealed_pack(course, GRADER, {"torch": "2.13.0"}, sealed).files


def steps():
    workflow = yaml.safe_load(WITH_KEY.read_text(encoding="utf-8"))
    return workflow["jobs"]["grade"]["steps"]


def test_the_sealed_file_stands_in_the_place_of_the_visible_checks(files, sealed):
    assert files[f"student/{SEALED}"] == sealed.read_bytes()
    assert files["student/.github/workflows/grade.yml"] == WITH_KEY.read_bytes()
    assert not [name for name in files if "grade-course" in name]


def test_what_opens_it_is_installed_there_and_nowhere_else(files):
    grader, package = files["student/requirements-grade.txt"].decode().splitlines()

    assert grader == GRADER
    assert package.startswith("cryptography==")
    assert files["instructor/requirements-grade.txt"].decode() == f"{GRADER}\n"


def test_instructors_get_what_they_get_without_it(files):
    assert [name for name in files if name.startswith("instructor/") and SEALED in name] == []
    assert "instructor/.github/workflows/grade-class.yml" in files


def test_one_step_is_given_the_key():
    given = [step for step in steps() if "secrets." in json.dumps(step)]

    assert [list(step["env"]) for step in given] == [[KEY]]
    assert f"--sealed {SEALED} " in given[0]["run"]
    assert WITH_KEY.read_text(encoding="utf-8").count("secrets.") == 1


def test_the_workflow_differs_from_the_plain_one_in_that_step_alone():
    kept = WITH_KEY.read_text(encoding="utf-8").splitlines()

    others = [line.strip() for line in PLAIN.read_text(encoding="utf-8").splitlines() if line not in kept]

    assert [line[:12] for line in others if not line.startswith("#")] == ["run: grade -"]


@pytest.mark.parametrize("rules", [ZIZMOR, GITHUB, TIMEOUT], ids=["zizmor", "schema", "timeout"])
def test_the_workflow_is_as_other_people_want_it(rules):
    code, words = said(rules, WITH_KEY)

    assert code == 0, words


@pytest.mark.skipif(sys.platform == "win32", reason="bash")
@pytest.mark.parametrize(("secret", "seen"), [("", "none"), ("a-key", "a-key")], ids=["no secret", "secret"])
def test_without_the_secret_the_variable_is_not_there(tmp_path, secret, seen):
    (tmp_path / "grade").write_text(f'#!/bin/sh\necho "${{{KEY}-none}}"\n')
    (tmp_path / "grade").chmod(0o755)
    script = next(step["run"] for step in steps() if step.get("name") == "Grade")
    env = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "RUNNER_TEMP": str(tmp_path), KEY: secret}

    done = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", script], env=env, capture_output=True, text=True, check=True
    )

    assert done.stdout == f"{seen}\n"


def test_a_file_of_another_state_of_the_course_is_refused(course, sealed):
    changed = msgspec.structs.replace(course, digest="sha256:another")

    with pytest.raises(CourseError, match="another state"):
        sealed_pack(changed, GRADER, {}, sealed)


def test_a_file_whose_readable_part_was_changed_to_tell_a_secret_is_refused(course, sealed, tmp_path):
    plain = json.loads(sealed.read_text(encoding="utf-8"))
    plain["visible"]["residual_add/checks.py"] += f"# {course.seed}\n"
    (tmp_path / "told.sealed").write_text(json.dumps(plain))

    with pytest.raises(CourseError, match="would give away the seed"):
        sealed_pack(course, GRADER, {}, tmp_path / "told.sealed")


def test_the_command_writes_it_for_github_alone(course, sealed, tmp_path):
    options = ["--sealed", str(sealed), "--course", course.root, "--out", str(tmp_path / "ci")]

    ci(["github", *options], standalone_mode=False)

    assert (tmp_path / "ci" / "student" / SEALED).is_file()
    with pytest.raises(UsageError, match="is for `grade ci github`"):
        ci(["gitlab", *options], standalone_mode=False)
