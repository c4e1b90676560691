"""The hooks for other repositories: read by pre-commit itself, and run by it in a repository of git."""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from grader.cli import cli

ROOT = Path(__file__).parents[1]
MANIFEST = ROOT / ".pre-commit-hooks.yaml"
HOOKS = {hook["id"]: hook for hook in yaml.safe_load(MANIFEST.read_text(encoding="utf-8"))}
PRE_COMMIT = [sys.executable, "-m", "pre_commit"]


def git(*arguments, cwd):
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
    done = subprocess.run(["git", *who, *arguments], cwd=cwd, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def committed(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    if not (folder / ".git").exists():
        git("init", "-q", cwd=folder)
    git("add", ".", cwd=folder)
    git("commit", "-qm", "x", cwd=folder)
    return git("rev-parse", "HEAD", cwd=folder)


def test_pre_commit_takes_the_manifest():
    subprocess.run([*PRE_COMMIT, "validate-manifest", MANIFEST], check=True, capture_output=True, timeout=60)


def test_the_hooks_call_commands_with_options_that_they_have():
    assert HOOKS.keys() == {"grade-submit", "grade-publish"}
    for hook in HOOKS.values():
        program, name, *options = [*shlex.split(hook["entry"]), *hook.get("args", ())]
        known = {option for parameter in cli.commands[name].params for option in parameter.opts}
        assert program == "grade"
        assert {option for option in options if option.startswith("-")} <= known


@pytest.fixture
def run(tmp_path):
    """Runs a hook in a student's repository by a `grade` that does `script`; returns code, output and the calls."""
    hooks, student, programs = tmp_path / "hooks", tmp_path / "student", tmp_path / "bin"
    revision = committed(hooks, {MANIFEST.name: MANIFEST.read_text(encoding="utf-8")})
    programs.mkdir()
    env = {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
    env |= {"PRE_COMMIT_HOME": str(tmp_path / "home"), "PRE_COMMIT_COLOR": "never"}

    def once(hook, files, script="exit 0"):
        (programs / "grade").write_text(f'#!/bin/sh\necho "$@" >> "{tmp_path}/calls"\n{script}\n')
        (programs / "grade").chmod(0o755)
        config = {"repos": [{"repo": str(hooks), "rev": revision, "hooks": [{"id": hook}]}]}
        committed(student, {**files, ".pre-commit-config.yaml": yaml.safe_dump(config)})
        command = [*PRE_COMMIT, "run", hook, "--all-files", "--hook-stage", "pre-push"]
        done = subprocess.run(command, cwd=student, env=env, capture_output=True, text=True, timeout=120, check=False)
        calls = tmp_path / "calls"
        return done.returncode, done.stdout, calls.read_text().splitlines() if calls.exists() else []

    return once


needs_git = pytest.mark.skipif(sys.platform == "win32" or not shutil.which("git"), reason="git and a POSIX shell")


@needs_git
def test_the_exercises_are_graded_once_and_the_total_is_seen(run):
    files = {"exercises/residual_add.py": "x", "exercises/deep_network.ipynb": "{}"}

    code, out, calls = run("grade-submit", files, script='echo "total  7 / 9"')

    assert (code, calls) == (0, ["submit exercises/ --quiet --exit-zero"])
    assert "total  7 / 9" in out


@needs_git
def test_other_files_start_no_grading(run):
    code, out, calls = run("grade-submit", {"notes.md": "x", "exercises/README.md": "x", "other/a.py": "x"})

    assert (code, calls) == (0, [])
    assert "Skipped" in out


@needs_git
def test_exercises_that_were_not_up_to_date_fail_the_hook_of_authors(run):
    files = {"solutions/course.toml": "x", "exercises/a.py": "old"}

    code, out, calls = run("grade-publish", files, script="echo new > exercises/a.py")

    assert (code, calls) == (1, ["publish"])
    assert "files were modified by this hook" in out
