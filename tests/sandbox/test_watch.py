"""What no limit of the kernel stops is seen from outside, and told with figures."""

import os
import subprocess
import sys

import pytest

from grader.model.limits import Limits
from grader.sandbox.launch import ForkLauncher
from grader.sandbox.process import TooMuch
from grader.sandbox.session import WorkerLost
from grader.sandbox.spawned import SpawnedWorkers
from grader.sandbox.watch import MIB, SHARED_MIB, Watch, held, resident

HOLD = "import sys, time; held = bytearray(64 << 20); print('x', flush=True); sys.stdin.read()"
SOURCE = """
import time


def take(memory_mib):
    kept = []
    while len(kept) * 16 < memory_mib:
        kept.append(b"x" * (16 << 20))
        time.sleep(0.01)
    time.sleep(30)


def write(files, mib):
    for number in range(files):
        with open(str(number), "wb") as file:
            file.write(bytes(mib << 20))
    time.sleep(30)


def want(memory_mib):
    return len(bytearray(memory_mib << 20))
"""


@pytest.fixture
def holding():
    """A process that holds 64 MiB."""
    with subprocess.Popen([sys.executable, "-c", HOLD], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        process.stdout.readline()
        yield process
        process.stdin.close()


@pytest.fixture
def started(open_forked, open_session, student_of, tmp_path):
    """Makes a student in a worker without some layers, and with limits."""
    opened = []

    def make(*without, **limits):
        launcher = ForkLauncher(without)
        context = open_forked(launcher, tmp_path)
        session = open_session(context.__enter__(), SOURCE, **limits)
        opened.append((session, context, launcher))
        session.begin(1)
        return student_of(session)

    yield make
    for session, context, launcher in opened:
        session.close()
        context.__exit__(None, None, None)
        launcher.close()


def test_memory_of_a_process_counts(holding):
    assert resident(holding.pid) > 64 * MIB


def test_memory_of_the_processes_below_counts(holding):
    assert resident(os.getpid()) > resident(holding.pid) > 64 * MIB


def test_process_that_is_gone_uses_nothing():
    process = subprocess.Popen(["true"])
    process.wait()

    assert resident(process.pid) == 0


def test_files_and_folders_are_counted(tmp_path):
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "file").write_bytes(bytes(1000))

    count, size = held(str(tmp_path), 100)

    assert (count, size >= 1000) == (3, True)


def test_counting_stops_where_it_is_more_than_enough(tmp_path):
    for number in range(3):
        (tmp_path / str(number)).mkdir()
        for file in range(100):
            (tmp_path / str(number) / str(file)).touch()

    assert 100 < held(str(tmp_path), 100)[0] < 250


def test_watch_tells_the_figures(holding):
    watch = Watch(holding.pid, Limits(memory_mib=32), at_start=-(SHARED_MIB * MIB), folder=None)

    with pytest.raises(TooMuch, match=r"used \d+ MiB of memory beside PyTorch; 32 MiB are allowed"):
        watch.look()


@pytest.mark.parametrize("without", [(), ("namespaces",)])
def test_request_for_too_much_memory_is_refused_at_once(started, without):
    student = started(*without, memory_mib=256)

    with pytest.raises(Exception, match="MemoryError"):
        student.want(4096)


def test_memory_beyond_the_limit_is_seen_where_the_kernel_has_no_limit(started):
    student = started("rlimits", memory_mib=128)

    with pytest.raises(WorkerLost, match="128 MiB are allowed") as lost:
        student.take(100_000)

    assert lost.value.verdict == "out_of_memory"


def test_memory_of_a_spawned_worker_is_watched(open_session, student_of):
    session = open_session(SpawnedWorkers(), SOURCE, memory_mib=128)
    session.begin(1)

    with pytest.raises(WorkerLost, match="128 MiB are allowed") as lost:
        student_of(session).take(100_000)

    assert lost.value.verdict == "out_of_memory"


@pytest.mark.parametrize(("files", "mib"), [(30, 4), (1010, 0)])
def test_files_on_disk_are_watched_where_there_is_no_quota(started, files, mib):
    student = started("namespaces", folder_mib=64)

    with pytest.raises(WorkerLost, match="64 MiB in 1,000 are allowed") as lost:
        student.write(files, mib)

    assert lost.value.verdict == "crashed"


@pytest.mark.parametrize(("files", "mib"), [(30, 4), (1010, 0)])
def test_files_in_the_container_meet_a_quota(started, files, mib):
    student = started(folder_mib=64)

    with pytest.raises(Exception, match="No space left on device"):
        student.write(files, mib)
