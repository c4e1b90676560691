"""The workflow files of `grade ci` by other people's rules: zizmor's, and the schemas of GitHub and GitLab. Offline."""

import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from grader.authoring.packs import make_pack
from grader.model.course import load_course

ROOT = Path(__file__).parents[1]
ZIZMOR = [Path(sysconfig.get_path("scripts")) / "zizmor", "--offline", "--no-progress", "--persona", "pedantic"]
SCHEMA = [sys.executable, "-m", "check_jsonschema", "--builtin-schema"]
GITHUB, TIMEOUT = [*SCHEMA, "vendor.github-workflows"], [*SCHEMA, "custom.github-workflows-require-timeout"]
GITLAB = [*SCHEMA, "vendor.gitlab-ci", "--data-transform", "gitlab-ci"]
WORKFLOWS = ("student/.github/workflows/grade.yml", "instructor/.github/workflows/grade-class.yml")


@pytest.fixture(scope="module")
def pack(tmp_path_factory):
    """The files for a place, written into a folder."""
    course = load_course(ROOT / "solutions")

    def written(kind):
        folder = tmp_path_factory.mktemp(kind)
        for name, data in make_pack(kind, course, "residual-grader==0.1.0", {"torch": "2.13.0"}).files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)
        return folder

    return {kind: written(kind) for kind in ("github", "gitlab")}


def said(command, *files):
    done = subprocess.run([*command, *files], capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("rules", [ZIZMOR, GITHUB, TIMEOUT], ids=["zizmor", "schema", "timeout"])
def test_the_workflows_for_github_are_as_they_should_be(pack, rules):
    code, words = said(rules, *(pack["github"] / name for name in WORKFLOWS))

    assert code == 0, words


def test_the_pipeline_for_gitlab_is_as_it_should_be(pack):
    code, words = said(GITLAB, pack["gitlab"] / "student" / ".gitlab-ci.yml")

    assert code == 0, words


@pytest.mark.parametrize(
    ("rules", "changed", "told"),
    [
        (ZIZMOR, ("persist-credentials: false", "fetch-depth: 1"), "artipacked"),
        (ZIZMOR, ("@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1", "@v7"), "unpinned-uses"),
        (ZIZMOR, ("--format github", "--format ${{ github.head_ref }}"), "template-injection"),
        (GITHUB, ("runs-on:", "run-on:"), "run-on"),
        (TIMEOUT, ("    timeout-minutes: 15\n", ""), "timeout-minutes"),
    ],
)
def test_the_rules_find_what_they_are_here_for(pack, tmp_path, rules, changed, told):
    text = (pack["github"] / WORKFLOWS[0]).read_text(encoding="utf-8")
    assert changed[0] in text
    worse = tmp_path / ".github" / "workflows" / "grade.yml"
    worse.parent.mkdir(parents=True)
    worse.write_text(text.replace(*changed), encoding="utf-8")

    code, words = said(rules, worse)

    assert code != 0
    assert told in words


def test_the_schema_of_gitlab_finds_a_key_that_is_none(pack, tmp_path):
    text = (pack["gitlab"] / "student" / ".gitlab-ci.yml").read_text(encoding="utf-8")
    worse = tmp_path / ".gitlab-ci.yml"
    worse.write_text(text.replace("when: always", "when: forever"), encoding="utf-8")

    assert said(GITLAB, worse)[0] != 0
