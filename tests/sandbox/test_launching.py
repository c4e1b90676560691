"""Everything that was started ends with its starter, however that ends."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest

from grader.errors import SandboxError
from grader.intake import accept
from grader.model.job import Job
from grader.pipeline import JUDGE, HandedIn, grade_submission
from grader.sandbox.launch import ForkLauncher, SpawnLauncher, environment, launcher

DEADLINE_SECONDS = 30
ENDLESS = "while True:\n    pass\n\n\nclass ResidualAdd:\n    pass\n"

Process = tuple[int, str]  # number and start time, since numbers are used again


def stat(pid: int) -> list[str] | None:
    """State, parent, … of a process (proc(5)), None when there is none or it only waits to be reaped."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return fields if fields[0] not in "ZX" else None


def below(pid: int) -> set[Process]:
    """All running descendants."""
    every = {int(name): found for name in os.listdir("/proc") if name.isdigit() and (found := stat(int(name)))}
    found, stack = set(), [pid]
    while stack:
        parent = stack.pop()
        children = [child for child, fields in every.items() if int(fields[1]) == parent]
        found |= {(child, every[child][19]) for child in children}
        stack += children
    return found


def alive(processes: set[Process]) -> set[Process]:
    return {(pid, start) for pid, start in processes if (fields := stat(pid)) and fields[19] == start}


def until(condition, what: str):
    """The first true value of `condition()`; fails when there is none before the deadline."""
    deadline = time.monotonic() + DEADLINE_SECONDS
    while not (value := condition()):
        assert time.monotonic() < deadline, f"not in {DEADLINE_SECONDS} s: {what}"
        time.sleep(0.01)
    return value


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return folder


@dataclass
class Ended:
    """`grade submit` on a file that never stops loading, ended by a signal once its worker ran."""

    code: int
    below: set[Process]
    temporary: Path
    out: Path


@pytest.fixture(scope="module", params=[signal.SIGINT, signal.SIGKILL], ids=["SIGINT", "SIGKILL"])
def ended(request, tmp_path_factory, solutions):
    folder = tmp_path_factory.mktemp("ended")
    file, out, temporary = folder / "residual_add.py", folder / "out", folder / "temporary"
    file.write_text(ENDLESS)
    temporary.mkdir()
    command = [sys.executable, "-m", "grader", "submit", str(file), "--course", str(solutions), "--out", str(out)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, env={**os.environ, "TMPDIR": str(temporary)}) as process:
        # fork server, nursery, judge and worker
        until(lambda: len(below(process.pid)) >= 4 or process.poll() is not None, "a worker runs")
        processes = below(process.pid)
        process.send_signal(request.param)
        yield Ended(process.wait(DEADLINE_SECONDS), processes, temporary, out)


def test_close_leaves_no_process(temporary):
    before = below(os.getpid())
    started = ForkLauncher()
    with started.judge(JUDGE):
        processes = below(os.getpid()) - before
        started.close()

    until(lambda: not alive(processes), "all processes of the launcher have ended")


def test_close_leaves_no_folder(temporary):
    with ForkLauncher() as started, started.judge(JUDGE):
        during = list(temporary.iterdir())

    assert len(during) == 1
    assert list(temporary.iterdir()) == []


def test_end_of_a_judge_ends_its_workers(launch, residual_course, write):
    submission = accept(write({"residual_add.py": ENDLESS}), residual_course)
    grade_submission(HandedIn(write({"residual_add.py": "x = 1"})), residual_course, launch)
    # from now on the fork server and the nursery are there
    before = below(os.getpid())
    with launch.judge(JUDGE) as line:
        line.send(msgspec.json.encode(Job(residual_course, submission)))
        until(lambda: len(below(os.getpid()) - before) >= 2, "judge and worker run")
        during = below(os.getpid()) - before

    until(lambda: not alive(during), "judge and worker have ended")


SLEEPER = """
import ctypes

libc = ctypes.CDLL(None)


def start(own_session):
    if libc.fork() == 0:
        if own_session:
            libc.setsid()
        libc.sleep(86399)
"""


@pytest.fixture(params=[("seccomp",), ("seccomp", "namespaces")])
def may_fork(request, tmp_path, open_forked):
    """Workers without the layer that forbids processes."""
    with ForkLauncher(request.param) as started, open_forked(started, tmp_path) as workers:
        yield workers


@pytest.mark.parametrize("own_session", [True, False])
def test_process_left_behind_by_a_student_is_dead_afterwards(may_fork, own_session, open_session, student_of):
    session = open_session(may_fork, SLEEPER)
    session.begin(1)
    before = below(os.getpid())
    student_of(session).start(own_session)
    processes = below(os.getpid()) - before

    session.close()

    assert len(processes) == 1
    until(lambda: not alive(processes), "the student's process has ended")


def test_judges_one_after_the_other_get_workers(launch, open_forked, open_session, tmp_path):
    for number in range(4):
        folder = tmp_path / str(number)
        folder.mkdir()
        with open_forked(launch, folder) as workers:
            session = open_session(workers, "x = 1")
            assert session.load()["notes"] == []
            session.close()


def test_ended_command_leaves_no_process(ended):
    assert len(ended.below) >= 4
    until(lambda: not alive(ended.below), "all processes below the command have ended")


def test_ended_command_leaves_no_results(ended):
    assert not ended.out.exists()


@pytest.mark.parametrize("ended", [signal.SIGINT], indirect=True)
def test_interrupted_command_exits_with_130(ended):
    assert ended.code == 130


@pytest.mark.parametrize("ended", [signal.SIGINT], indirect=True)
def test_interrupted_command_leaves_no_folder(ended):
    assert list(ended.temporary.iterdir()) == []


def test_fork_server_that_cannot_start_says_why(monkeypatch, tmp_path):
    broken = tmp_path / "python"
    broken.write_text("#!/bin/sh\necho no torch here >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(broken))

    with ForkLauncher() as started, pytest.raises(SandboxError, match="no torch here"), started.judge(JUDGE):
        pass


def test_environment_of_all_processes_has_no_secret(monkeypatch):
    monkeypatch.setenv("GRADE_TEST_SECRET", "secret")

    assert "secret" not in environment().values()


def test_environment_of_all_processes_asks_for_one_thread():
    assert environment()["OMP_NUM_THREADS"] == "1"


def test_launcher_can_be_chosen(monkeypatch):
    monkeypatch.setenv("GRADE_LAUNCHER", "spawn")

    assert isinstance(launcher(), SpawnLauncher)
