"""`grade ci`: files for other people's machines, read here by their rules and run where they can be."""

import ast
import base64
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import yaml

from grader.authoring.packs import ARCHIVE, make_pack
from grader.authoring.packs.visible import SEED, visible_course
from grader.cli.batch import batch
from grader.cli.packs import ci
from grader.cli.platforms import Told
from grader.cli.submission import submit
from grader.errors import CourseError, UsageError
from grader.model.course import load_course
from reports.ci import FORMATS

ROOT = Path(__file__).parents[1]
VERSIONS = {"torch": "2.13.0", "pytest": "9.2.0"}
GRADER = "residual-grader==0.1.0"
READABLE = ("github", "gitlab", "classroom50")
PINS = {  # docs/ci.md says how they are renewed
    "actions/checkout": "3d3c42e5aac5ba805825da76410c181273ba90b1",
    "astral-sh/setup-uv": "20cfd1bf945f4377ade1205e4dbc17946fc9a30d",
    "actions/upload-artifact": "043fb46d1a93c77aae656e7c1c64a875d1fc6a0a",
    "actions/download-artifact": "3e5f45b2cfb9172054b4087a40e8e0b5a5461e7c",
    "actions/create-github-app-token": "bcd2ba49218906704ab6c1aa796996da409d3eb1",
}

needs_bash = pytest.mark.skipif(sys.platform == "win32", reason="bash")


@pytest.fixture(scope="module")
def course():
    return load_course(ROOT / "solutions")


@pytest.fixture(scope="module")
def packs(course):
    return {kind: make_pack(kind, course, GRADER, VERSIONS).files for kind in (*READABLE, "gradescope")}


@pytest.fixture(scope="module")
def workflows(packs):
    names = [name for name in packs["github"] if name.endswith(".yml")]
    return {Path(name).stem: yaml.safe_load(packs["github"][name]) for name in names}


def steps(workflow):
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


def unpacked(archive, to):
    """As `unzip` does it: the rights of a program are kept."""
    with zipfile.ZipFile(io.BytesIO(archive)) as packed:
        for member in packed.infolist():
            path = Path(packed.extract(member, to))
            path.chmod(member.external_attr >> 16 & 0o777)


def written(files, to):
    for name, data in files.items():
        (to / name).parent.mkdir(parents=True, exist_ok=True)
        (to / name).write_bytes(data)
    return to


# -- the files ---------------------------------------------------------------------------------------------------------


def test_same_course_gives_the_same_bytes(packs, course):
    assert {kind: make_pack(kind, course, GRADER, VERSIONS).files for kind in packs} == packs


def test_actions_are_pinned_by_commit(workflows):
    used = [step["uses"] for workflow in workflows.values() for step in steps(workflow) if "uses" in step]
    assert {use: PINS[use.partition("@")[0]] for use in used} == {use: use.partition("@")[2] for use in used}
    assert {use.partition("@")[0] for use in used} == PINS.keys()


def test_workflows_may_only_read_and_end(workflows):
    assert workflows.keys() == {"grade", "grade-class"}
    for workflow in workflows.values():
        assert set(workflow[True]) <= {"push", "workflow_dispatch", "schedule"}  # `on` is true in YAML 1.1
        for job in workflow["jobs"].values():
            assert job.get("permissions", workflow["permissions"]) == {"contents": "read"}
            assert job["timeout-minutes"] <= 120
        for step in steps(workflow):
            if step.get("uses", "").startswith("actions/checkout@"):
                assert step["with"]["persist-credentials"] is False


def test_no_expression_stands_in_a_script(workflows):
    for workflow in workflows.values():
        assert not [step for step in steps(workflow) if "${{" in step.get("run", "")]


def test_only_the_job_that_collects_has_a_secret_and_it_runs_nothing_of_students(workflows):
    jobs = workflows["grade-class"]["jobs"]
    assert "secrets." in json.dumps(jobs["collect"])
    assert "secrets." not in json.dumps(jobs["grade"])
    assert not any("grade " in step.get("run", "") for step in jobs["collect"]["steps"])
    assert jobs["grade"]["needs"] == "collect"
    graded = next(step["run"] for step in jobs["grade"]["steps"] if "grade batch" in step.get("run", ""))
    assert graded.startswith("sudo unshare --net -- ")
    assert " env -i " in graded


@pytest.mark.parametrize("kind", READABLE)
def test_what_students_can_read_holds_no_secret(packs, course, kind):
    readable = {name: data.decode() for name, data in packs[kind].items() if not name.startswith("instructor/")}
    everything = "\n".join(readable.values())
    hidden, lines = [], []
    for exercise in course.exercises:
        source = exercise.checks.read_text(encoding="utf-8")
        for one in ast.parse(source).body:
            if isinstance(one, ast.FunctionDef) and one.name.startswith("check_"):
                visible = "visible=True" in ast.unparse(one.decorator_list[0])
                hidden += [] if visible else [f"def {one.name}(", ast.get_docstring(one, clean=False)]
        blocks = re.findall(r"# BEGIN SOLUTION.*?\n(.*?)# END SOLUTION", exercise.solution.read_text(), re.DOTALL)
        lines += [block.rstrip() for block in blocks]
    assert len(hidden) > 60
    assert lines
    own = [secret for secret in (course.seed, *hidden, *lines) if secret in everything]
    assert own == []
    assert not re.search(r"secrets\.|GH_TOKEN|pull_request_target", everything)


def test_gitlab_keeps_reports_also_of_a_failed_job(packs):
    job = yaml.safe_load(packs["gitlab"]["student/.gitlab-ci.yml"])["grade"]
    assert job["artifacts"]["when"] == "always"
    assert job["artifacts"]["reports"] == {
        "junit": "grade-out/junit.xml",
        "codequality": "grade-out/gl-code-quality-report.json",
    }


def scripts(packs, workflows):
    """Everything that a shell reads, by where it stands."""
    found = {
        f"{stem}: {step.get('name')}": step["run"]
        for stem, workflow in workflows.items()
        for step in steps(workflow)
        if "run" in step
    }
    found["gitlab"] = "\n".join(yaml.safe_load(packs["gitlab"]["student/.gitlab-ci.yml"])["grade"]["script"])
    with zipfile.ZipFile(io.BytesIO(packs["gradescope"][ARCHIVE])) as archive:
        found |= {name: archive.read(name).decode() for name in ("setup.sh", "run_autograder")}
    found["collect.sh"] = packs["github"]["instructor/scripts/collect.sh"].decode()
    return found


@needs_bash
def test_scripts_are_bash(packs, workflows):
    for name, text in scripts(packs, workflows).items():
        done = subprocess.run(["bash", "-n"], input=text, text=True, capture_output=True, check=False)
        assert (name, done.stderr) == (name, "")


def test_the_grader_is_called_with_options_that_it_has_and_a_course(packs, workflows):
    called = 0
    for text in scripts(packs, workflows).values():
        for isolated, kind, told in re.findall(r"\bgrade (--\w+ )?(submit|batch) (.*)", text.replace("\\\n", " ")):
            command = {"submit": submit, "batch": batch}[kind]
            options = {option for parameter in command.params for option in parameter.opts}
            given = {word for word in shlex.split(told) if word.startswith("--")}
            assert "--course" in given <= options
            assert isolated or kind == "batch"  # a student's pyproject.toml would say what is graded and what is enough
            called += 1
    assert called == 4


@pytest.mark.parametrize("kind", READABLE)
def test_torch_is_that_of_the_constraints_and_for_the_cpu(packs, kind):
    for name in packs[kind]:
        if name.endswith("constraints-grade.txt"):
            assert packs[kind][name] == b"pytest==9.2.0\ntorch==2.13.0\n"
        if name.endswith((".yml", "autograder.py")):
            assert re.search(r"--torch-backend=cpu .*-c constraints-grade.txt|whl/cpu", packs[kind][name].decode())


def test_every_option_is_explained_and_no_other():
    guide = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8").partition("\n## `grade ci`\n")[2]
    told = set(re.findall(r"^\| `(--[a-z]+)", guide, re.MULTILINE))
    assert told == {option for parameter in ci.params for option in parameter.opts if option.startswith("-")}
    formats = next(parameter for parameter in submit.params if parameter.name == "formats")
    assert tuple(formats.type.choices) == FORMATS


def test_templates_are_in_the_wheel(tmp_path):
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=120)
    folder = Path("grader/authoring/packs/templates")
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        packed = {name for name in wheel.namelist() if name.startswith(f"{folder}/")}
    there = {path.relative_to(ROOT).as_posix() for path in (ROOT / folder).rglob("*") if path.is_file()}
    assert packed == {name for name in there if "__pycache__" not in name}


# -- the visible course ------------------------------------------------------------------------------------------------


def a_course(tmp_path, checks):
    """A course of one exercise with these checks."""
    folder = tmp_path / "solutions" / "one"
    folder.mkdir(parents=True)
    (folder.parent / "course.toml").write_text('name = "C"\nexercises = ["one"]\nseed = "very private"\n')
    (folder / "exercise.toml").write_text('title = "\\"T\\""\ndefines = ["f"]\nformula = "x"\n')
    (folder / "solution.py").write_text("def f(x):\n    # BEGIN SOLUTION\n    return x\n    # END SOLUTION\n")
    (folder / "checks.py").write_text(checks)
    return load_course(folder.parent)


CHECKS = '''\
"""Private words."""
from __future__ import annotations
import math, os
from grader.checks import check, Draw, Student
LIMIT, HIDDEN = 3, 4  # a private comment
SECRET = 5

def _used():
    return LIMIT + math.pi  # another

def _unused():
    return SECRET

@check(points=1, concept="c", visible=True)
def check_shown(student: Student) -> None:
    """Shown."""
    _used()

@check(points=2, concept="c", visible=True)
def check_compares(student: Student, reference) -> None:
    """Compares."""

@check(points=3, concept="c")
def check_hidden(student: Student, draw: Draw) -> None:
    """Hidden."""
    _unused()
'''


def test_visible_checks_and_what_they_use_are_all_that_is_taken(tmp_path):
    shown = visible_course(a_course(tmp_path, CHECKS))
    source = shown.files["one/checks.py"].decode()
    assert (shown.shown, shown.checks) == (1, 3)
    assert [name for name in ("check_shown", "_used", "LIMIT", "import math\n") if name not in source] == []
    kept_out = ("Private", "private", "another", "SECRET", "_unused", "check_hidden", "check_compares", "os", "Draw")
    assert [name for name in kept_out if re.search(rf"\b{name}\b", source)] == []
    assert shown.notes == ("one.compares compares with the solution, so it stays hidden.",)


def test_the_visible_course_can_be_loaded_and_says_how_much_of_it_there_is(tmp_path):
    made = written(visible_course(a_course(tmp_path, CHECKS)).files, tmp_path / "shown")
    loaded = load_course(made)
    assert (loaded.name, loaded.seed) == ("C (1 of 3 checks)", SEED)
    assert loaded.exercises[0].title == '"T"'
    assert "return x" not in (made / "one" / "solution.py").read_text()


@pytest.mark.parametrize(
    ("checks", "words"),
    [
        (CHECKS.replace(", visible=True", ""), "no check that students may read"),
        (CHECKS.replace("    _used()", "    check_hidden(student, None)"), "uses the hidden one"),
        ("def f(:\n", "line 1"),
    ],
)
def test_a_course_that_cannot_be_shown_is_refused(tmp_path, checks, words):
    with pytest.raises(CourseError, match=words):
        visible_course(a_course(tmp_path, checks))


# -- run ---------------------------------------------------------------------------------------------------------------


@pytest.fixture
def autograder(packs, tmp_path):
    """The folder /autograder as Gradescope lays it out; what setup.sh would install is what is installed here."""
    folder = tmp_path / "autograder"
    unpacked(packs["gradescope"][ARCHIVE], folder / "source")
    for name in ("submission", "results"):
        (folder / name).mkdir()
    shutil.copy(folder / "source" / "run_autograder", folder)
    scripts = folder / "venv" / "bin"
    scripts.mkdir(parents=True)
    (scripts / "grade").write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m grader "$@"\n')
    (scripts / "grade").chmod(0o755)

    def run(files, grade=None):
        for name, text in files.items():
            (folder / "submission" / name).write_text(text)
        if grade is not None:
            (scripts / "grade").write_text(grade)
        env = {**os.environ, "PYTHONPATH": str(ROOT)}
        done = subprocess.run([folder / "run_autograder"], cwd="/", env=env, timeout=120, check=False)
        assert done.returncode == 0
        return json.loads((folder / "results" / "results.json").read_text(encoding="utf-8"))

    return run


@needs_bash
def test_gradescope_gets_points(autograder, wrong):
    told = autograder({"residual_add.py": wrong})
    assert 0 < told["score"] < sum(test["max_score"] for test in told["tests"])


@needs_bash
@pytest.mark.parametrize("code", [2, 3])
def test_gradescope_gets_a_result_without_points_where_nothing_could_be_graded(autograder, code):
    told = autograder({}, grade=f"#!/bin/sh\nexit {code}\n")
    assert "score" not in told
    assert [test["visibility"] for test in told["tests"]] == ["visible"]
    assert ("not yours" in told["output"]) == (code == 3)


def test_classroom50_gets_whole_points_and_never_a_result_that_was_handed_in(packs, right, tmp_path):
    bundle = written(packs["classroom50"], tmp_path / "bundle")
    settings = b"[tool.grade]\nonly = ['deep_network']\n"
    handed_in = {"exercises/residual_add.py": right.encode(), "pyproject.toml": settings}
    checkout = written(handed_in, tmp_path / "checkout")
    (checkout / "result.json").symlink_to(tmp_path / "elsewhere.json")
    env = {**os.environ, "PYTHONPATH": str(ROOT), "CLASSROOM50_BUNDLE_DIR": str(bundle)}
    command = [sys.executable, bundle / "autograder.py", "--no-install"]
    done = subprocess.run(command, cwd=checkout, env=env, timeout=120, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    told = json.loads((checkout / "result.json").read_text(encoding="utf-8"))
    assert [one["passed"] for one in told["tests"] if one["test-name"].startswith("residual_add")] == [True, True]
    assert told["score"] == 200
    assert (checkout / "feedback.html").is_file()
    assert not (tmp_path / "elsewhere.json").exists()


def git(*arguments, cwd):
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *who, *arguments], cwd=cwd, check=True, capture_output=True)


@needs_bash
@pytest.mark.skipif(not shutil.which("git"), reason="git")
def test_collecting_takes_files_and_no_links_of_the_assignment_only(packs, tmp_path):
    for name in ("lab2-ada", "lab2-ben", "lab20-eve", "other"):
        repository = tmp_path / "hub" / "org" / name
        repository.mkdir(parents=True)
        git("init", "-q", cwd=repository)
        if name != "lab2-ben":  # who has committed nothing yet
            (repository / "exercises").mkdir()
            (repository / "exercises" / "residual_add.py").write_text(name)
            (repository / "link").symlink_to("/etc/hostname")
            git("add", ".", cwd=repository)
            git("commit", "-qm", "x", cwd=repository)
    gh = tmp_path / "bin" / "gh"
    gh.parent.mkdir()
    gh.write_text(
        f'#!/bin/sh\nif [ "$2" = list ]; then ls "{tmp_path}/hub/$3"; else\n'
        f'git clone "{tmp_path}/hub/$3" "$4" --quiet --bare; fi\n'
    )
    gh.chmod(0o755)
    script = tmp_path / "collect.sh"
    script.write_bytes(packs["github"]["instructor/scripts/collect.sh"])
    env = {**os.environ, "PATH": f"{gh.parent}:{os.environ['PATH']}"}
    command = ["bash", script, "org", "lab2", tmp_path / "out.tar"]
    subprocess.run(command, env=env, check=True, capture_output=True, timeout=60)
    collected = tmp_path / "submissions"
    collected.mkdir()
    subprocess.run(["tar", "-x", "-C", collected, "-f", tmp_path / "out.tar"], check=True)
    found = {path.relative_to(collected / "lab2-submissions").as_posix() for path in collected.rglob("lab2-*/**/*")}
    assert found == {"lab2-ada", "lab2-ada/exercises", "lab2-ada/exercises/residual_add.py", "lab2-ben"}
    intake = [sys.executable, "-P", "-m", "grader", "intake", collected, "--json"]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    read = subprocess.run(intake, env=env, cwd=tmp_path, capture_output=True, timeout=60, check=False).stdout
    assert json.loads(read)["layout"] == "github-classroom"


def test_the_command_writes_the_pack_and_makes_programs_executable(course, tmp_path, monkeypatch, capfd):
    out = tmp_path / "ci"
    monkeypatch.chdir(tmp_path)
    ci(["github", "--out", str(out), "--course", course.root, "--install", "./a.whl"], standalone_mode=False)
    told = capfd.readouterr()
    assert f"files written to {out}." in told.out
    assert "compares with the solution" in told.err
    assert (out / "student" / "requirements-grade.txt").read_text() == "./a.whl\n"
    assert re.search(r"^torch==[\d.]+$", (out / "student" / "constraints-grade.txt").read_text(), re.MULTILINE)
    assert os.access(out / "instructor" / "scripts" / "collect.sh", os.X_OK)


def test_the_record_alone_on_stdout_and_annotations_exclude_each_other(tmp_path):
    with pytest.raises(UsageError, match="--format github"):
        submit([str(tmp_path), "--json", "--format", "github"], standalone_mode=False)


# -- what GitHub reads from the log ------------------------------------------------------------------------------------


@pytest.fixture
def record():
    return json.loads((ROOT / "tests" / "samples" / "records" / "missing_skip.json").read_text(encoding="utf-8"))


def test_what_is_printed_is_text_to_github_until_a_token_that_nobody_knows(record, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    tokens = []
    for _ in range(2):
        with Told(record, tmp_path, ("github",)).on_github():
            print("::error::of a student")
        rows = capfd.readouterr().out.splitlines()
        token = rows[0].removeprefix("::stop-commands::")
        assert rows[1:3] == ["::error::of a student", f"::{token}::"]
        assert rows[3].startswith("::error file=residual_add.py,line=14,")
        tokens.append(token)
    assert len(set(tokens)) == 2
    assert min(map(len, tokens)) >= 32


def test_the_summary_is_added_to_what_is_there(record, tmp_path, monkeypatch, capfd):
    summary = tmp_path / "summary.md"
    summary.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    with Told(record, tmp_path, ("github",)).on_github():
        pass
    assert summary.read_text(encoding="utf-8").startswith("before\n### Residual connections")
    assert "file=" not in capfd.readouterr().out  # the submission lies outside the repository


def test_a_step_of_github_is_told_the_result_for_the_old_classroom(record, tmp_path, monkeypatch):
    output = tmp_path / "output"
    output.write_text("before=1\n")
    monkeypatch.setenv("GITHUB_OUTPUT", str(output))
    for formats in (("github-classroom",), ("junit",)):
        told = Told(record, tmp_path, formats)
        told.to_the_step(told.files())
    before, line = output.read_text(encoding="utf-8").splitlines()
    assert before == "before=1"
    assert json.loads(base64.b64decode(line.removeprefix("result=")))["version"] == 1


def test_without_github_nothing_is_added(record, tmp_path, capfd):
    with Told(record, tmp_path, ("junit",)).on_github():
        print("x")
    assert capfd.readouterr().out == "x\n"
