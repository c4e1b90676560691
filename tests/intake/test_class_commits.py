"""When clones were handed in: a table of the platform's, else the last commit, read without running git."""

import os
import shutil
import subprocess
import zlib
from datetime import datetime

import pytest

from grader.intake.classes import commits
from grader.intake.classes.commits import last_commit

TIME, ISO = "1789416605 +0200", "2026-09-14T22:10:05+02:00"
NAME = "ab" + "12" * 19
FIRST = "lab2-residual-submissions/lab2-residual-ada-l"
SECOND = "lab2-residual-submissions/lab2-residual-ben"
CODE = b"class ResidualAdd:\n    pass\n"


def commit(time=TIME, kind=b"commit"):
    """The bytes of a loose object, as git packs it."""
    text = (
        f"tree {'0' * 40}\nauthor A <a@b.c> 1 +0000\ncommitter A > <a@b.c> {time}\n\ncommitter B <b> 2 +0000\n".encode()
    )
    return zlib.compress(kind + b" %d\0" % len(text) + text)


def loose(clone, data=None, head="ref: refs/heads/main\n"):
    """The files of git in a clone with one commit."""
    return [
        (f"{clone}/exercises/block.py", CODE),
        (f"{clone}/.git/HEAD", head.encode()),
        (f"{clone}/.git/refs/heads/main", f"{NAME}\n".encode()),
        (f"{clone}/.git/objects/{NAME[:2]}/{NAME[2:]}", commit() if data is None else data),
        (f"{clone}/.git/config", b"[core]\n\tfsmonitor = touch /tmp/ran\n"),
    ]


def submitted(handed_in):
    return {one.key: one.submitted for one in handed_in.hand_ins}


def test_the_time_of_the_last_commit_is_taken_and_its_source_is_told(class_folder):
    handed_in = class_folder([*loose(FIRST), (f"{SECOND}/block.py", CODE)])
    assert submitted(handed_in) == {"ada-l": ISO, "ben": None}
    (note,) = handed_in.notes
    assert note.startswith(
        "The time of `lab2-residual-ada-l` is that of the last commit, which whoever commits can set."
    )


def test_a_table_of_the_platform_counts_more(class_folder):
    table = (
        "assignment_name,github_username,student_repository_name,submission_timestamp\n"
        "Lab 2,Ada-L,lab2-residual-ada-l,2026-09-15 08:00\n"
    )
    handed_in = class_folder([*loose(FIRST), *loose(SECOND), ("grades.csv", table.encode())])
    assert submitted(handed_in) == {"ada-l": "2026-09-15T08:00:00+00:00", "ben": ISO}
    assert [note.partition(", which")[0] for note in handed_in.notes] == [
        "The time of `lab2-residual-ada-l` is that in `grades.csv`.",
        "The time of `lab2-residual-ben` is that of the last commit",
    ]
    assert handed_in.skipped == ()


@pytest.mark.parametrize("root", ["clones", "lab2-residual-submissions"])
def test_a_table_inside_a_clone_is_a_file_of_the_student(class_folder, root):
    table = b"github_username,submission_timestamp\nben,2000-01-01 00:00:00\n"
    members = [*loose(FIRST), *loose(SECOND), (f"{FIRST}/times.csv", table)]
    within = [(path.partition("/")[2] if root != "clones" else path, data) for path, data in members]
    assert submitted(class_folder(within, root)) == {"ada-l": ISO, "ben": ISO}


@pytest.mark.parametrize(
    "members",
    [
        loose("c", b"no zlib"),
        loose("c", commit(kind=b"blob")),
        loose("c", commit("99999999999999 +0000")),
        loose("c", commit("1 +9900")),
        loose("c", commit("999999999999 +0000")),
        loose("c", zlib.compress(b"commit 9\0" + b"x" * (1 << 20))),
        loose("c", head="ref: refs/../../../outside\n"),
        loose("c", head="ref: config\n"),
        loose("c", head=f"{NAME[:10]}\n"),
        loose("c", head="x" * 5000),
        [("c/.git/HEAD", NAME.encode()), ("c/.git/objects/pack/p.idx", b"\xfftOc\0\0\0\2" + b"\xff" * 1024)],
        [("c/.git/HEAD", NAME.encode()), ("c/.git/objects/pack/p.idx", b"\xfftOc\0\0\0\1" + b"\0" * 2048)],
        [("c/.git", b"gitdir: ../elsewhere\n")],
        [("c/block.py", CODE)],
    ],
)
def test_what_is_not_as_it_should_be_is_not_known(tmp_path, members):
    for path, data in members:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(data)
    assert last_commit(tmp_path, "c") is None


def test_a_commit_that_is_checked_out_without_a_branch_is_found(tmp_path):
    for path, data in loose("c", head=f"{NAME}\n"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(data)
    assert last_commit(tmp_path, "c") == ISO


@pytest.mark.parametrize("what", [".git", ".git/HEAD", ".git/objects"])
def test_no_link_is_followed(tmp_path, what):
    for path, data in loose("real"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(data)
    shutil.copytree(tmp_path / "real", tmp_path / "c")
    target = tmp_path / "c" / what
    shutil.rmtree(target) if target.is_dir() else target.unlink()
    os.symlink(tmp_path / "real" / what, target)
    assert (last_commit(tmp_path, "real"), last_commit(tmp_path, "c")) == (ISO, None)


@pytest.fixture
def git(tmp_path):
    """Runs git in a repository of ours, away from anybody's settings."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    clean = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "GIT_CONFIG_NOSYSTEM": "1"}
    who = {f"GIT_{role}_{part}": "a" for role in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL")}

    def run(*call, time=TIME):
        when = {"GIT_COMMITTER_DATE": time, "GIT_AUTHOR_DATE": "1000000000 +0000"}
        subprocess.run(["git", *call], cwd=tmp_path, env={**clean, **who, **when}, check=True, capture_output=True)

    return run


@pytest.mark.parametrize("by_offset", ["true", "false"])
def test_a_real_clone_with_its_objects_in_a_pack_is_read(tmp_path, git, by_offset, monkeypatch):
    patched, differences = commits._patched, []
    monkeypatch.setattr(commits, "_patched", lambda *both: differences.append(1) or patched(*both))
    git("init", "-q", "-b", "main", "origin")
    message = "the same long message, so that git keeps most commits as differences\n" * 40
    for number in range(40):
        git(
            "-C",
            "origin",
            "commit",
            "-q",
            "--allow-empty",
            "-m",
            f"{message}{number}",
            time=f"{1700000000 + number} -0530",
        )
    git("-C", "origin", "-c", f"repack.useDeltaBaseOffset={by_offset}", "repack", "-q", "-a", "-d", "-f", "--depth=40")
    for at in ("", "~1", "~20", "~39"):
        git("-C", "origin", "update-ref", "--no-deref", "HEAD", f"main{at}")
        expected = 1700000000 + 39 - int(at[1:] or 0)
        found = last_commit(tmp_path, "origin")
        assert found is not None
        assert found.endswith("-05:30")
        assert datetime.fromisoformat(found).timestamp() == expected
    assert len(differences) > 1


def test_a_clone_is_dated_by_its_commit_and_not_by_when_it_was_cloned(tmp_path, git):
    git("init", "-q", "-b", "main", "origin")
    git("-C", "origin", "commit", "-q", "--allow-empty", "-m", "first")
    git("-C", "origin", "pack-refs", "--all")
    git("clone", "-q", "--no-local", "origin", "clone")
    assert last_commit(tmp_path, "clone") == ISO
