"""The control groups, over a folder with files like the kernel's: no test machine of ours hands a real one over."""

import os

import pytest

from grader.sandbox.confine import cgroup
from grader.sandbox.confine.cgroup import Groups, own_group

FILES = ("cgroup.procs", "memory.max", "memory.swap.max", "pids.max")


@pytest.fixture
def group(tmp_path, monkeypatch):
    """A group that was handed over and holds this process; each folder made in it gets the files of a group."""
    made = os.mkdir

    def mkdir(name, mode=0o777, *, dir_fd):
        made(name, mode, dir_fd=dir_fd)
        for file in FILES:
            (tmp_path / name / file).touch()

    monkeypatch.setattr(cgroup.os, "mkdir", mkdir)
    (tmp_path / "cgroup.controllers").write_text("cpu memory pids\n")
    (tmp_path / "cgroup.procs").write_text(f"{os.getpid()}\n")
    (tmp_path / "cgroup.subtree_control").write_text("")
    return tmp_path


def test_group_of_this_process_is_the_line_without_a_controller(tmp_path, monkeypatch):
    monkeypatch.setattr(cgroup, "ROOT", tmp_path)
    (tmp_path / "cgroup.controllers").write_text("memory")

    found = own_group("12:pids:/other\n0::/user.slice/run.scope\n")

    assert found == tmp_path / "user.slice" / "run.scope"


@pytest.mark.parametrize("listing", ["", "4:memory:/somewhere\n"])
def test_system_with_the_first_version_has_none(listing, tmp_path, monkeypatch):
    monkeypatch.setattr(cgroup, "ROOT", tmp_path)
    (tmp_path / "cgroup.controllers").write_text("memory")

    with pytest.raises(OSError, match="cgroup v2"):
        own_group(listing)


def test_grader_moves_aside_before_it_divides_memory(group):
    Groups(group, [os.getpid()])

    assert (group / "grader" / "cgroup.procs").read_text() == str(os.getpid())
    assert (group / "cgroup.subtree_control").read_text() == "+memory +pids"


def test_group_that_holds_other_programs_is_left_alone(group):
    with pytest.raises(OSError, match="other programs"):
        Groups(group, [1])

    assert not (group / "grader").exists()


def test_group_that_does_not_limit_memory_is_left_alone(group):
    (group / "cgroup.controllers").write_text("cpu\n")

    with pytest.raises(OSError, match="does not limit memory"):
        Groups(group, [os.getpid()])

    assert not (group / "grader").exists()


def test_worker_gets_a_group_with_its_limit_and_no_swap(group):
    name = Groups(group, [os.getpid()]).add(4711, 100)

    found = {file: (group / name / file).read_text() for file in ("memory.max", "memory.swap.max", "cgroup.procs")}
    assert found == {"memory.max": str(100 << 20), "memory.swap.max": "0", "cgroup.procs": "4711"}
