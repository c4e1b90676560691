"""Folders are removed whatever a student's code made of them, and what a killed run left goes with the next one."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from grader.sandbox.folders import RunFolder, remove, sweep
from grader.sandbox.nursery import children

CLAIM = "import time; from grader.sandbox.folders import RunFolder; print(RunFolder().path, flush=True); time.sleep(60)"


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "folder"
    made.mkdir()
    return made


def deep(folder: Path, depth: int) -> None:
    """Nested deeper than a path may be long, which only relative steps can make."""
    here = os.open(folder, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("d" * 100, dir_fd=here)
        inner = os.open("d" * 100, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(here)


def test_files_and_folders_are_removed(folder):
    (folder / "a" / "b").mkdir(parents=True)
    (folder / "a" / "b" / "file").write_text("x")
    (folder / "file").write_text("x")

    remove(str(folder))

    assert not folder.exists()


def test_folder_deeper_than_a_path_is_long_is_removed(folder):
    deep(folder, 2000)

    remove(str(folder))

    assert not folder.exists()


def test_folder_that_its_owner_closed_is_removed(folder):
    (folder / "closed" / "inner").mkdir(parents=True)
    (folder / "closed" / "inner").chmod(0)
    (folder / "closed").chmod(0)

    remove(str(folder))

    assert not folder.exists()


def test_link_is_removed_and_not_followed(folder, tmp_path):
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "file").write_text("x")
    (folder / "link").symlink_to(kept)

    remove(str(folder))

    assert not folder.exists()
    assert (kept / "file").exists()


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


@pytest.fixture
def claimed(temporary):
    """A folder that another process has claimed, and that process."""
    env = {**os.environ, "TMPDIR": str(temporary)}
    with subprocess.Popen([sys.executable, "-c", CLAIM], stdout=subprocess.PIPE, env=env) as process:
        assert process.stdout is not None
        yield Path(process.stdout.readline().decode().strip()), process
        process.kill()


def test_folder_of_a_running_process_stays(temporary, claimed):
    sweep(temporary)

    assert claimed[0].is_dir()


def test_folder_of_a_killed_process_is_removed_by_the_next_run(claimed):
    folder, process = claimed
    process.kill()
    process.wait()

    own = RunFolder()

    assert not folder.exists()
    own.remove()


def test_folder_of_another_program_stays(temporary):
    other = temporary / "grade-other"
    other.mkdir()

    sweep(temporary)

    assert other.is_dir()


def test_children_are_listed():
    proc = os.open("/proc", os.O_PATH)
    with subprocess.Popen(["sleep", "60"]) as process:
        found = set(children(proc))
        process.kill()
    os.close(proc)

    assert process.pid in found
