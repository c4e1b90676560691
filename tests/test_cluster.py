"""The same class on a Dask cluster: two worker processes, by the way that `--cluster` takes."""

import os
import shutil
import signal

import msgspec
import pytest
from distributed import LocalCluster

from grader.batch import Runner, grade_class
from grader.cluster import on_cluster
from grader.errors import UsageError
from grader.gradebook import open_gradebook
from grader.intake.classes import read_class
from grader.model.course import load_course
from grader.model.record import Timing, to_json
from grader.workshop import Workshop

TIMELESS = Timing("", {})
pytestmark = pytest.mark.filterwarnings("default")  # of Dask's own


@pytest.fixture(scope="module")
def folder(tmp_path_factory, right, wrong):
    """Eight students, each with other bytes, as folders."""
    root = tmp_path_factory.mktemp("class")
    for n in range(8):
        (root / f"student{n}").mkdir()
        (root / f"student{n}" / "residual_add.py").write_text((right, wrong)[n % 2] + f"# {n}\n", encoding="utf-8")
    return root


@pytest.fixture
def cluster():
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as started:
        yield started


def grades(folder, course, book_at, runner, seen=lambda _: None):
    """Everybody's record as JSON, but for the timing, which differs between any two runs."""
    with open_gradebook(book_at) as book:
        for done in grade_class(read_class(folder), course, book, runner):
            assert not done.trouble
            seen(done)
        found = {one.student: msgspec.structs.replace(one.record, timing=TIMELESS) for one in book.grades()}
    return {student: to_json(record) for student, record in found.items()}


@pytest.fixture(scope="module")
def local(folder, residual_course, launch, tmp_path_factory):
    """What this machine finds, one after the other."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as pool, Workshop(residual_course, launch) as workshop:
        at = tmp_path_factory.mktemp("local") / "gradebook.db"
        return grades(folder, residual_course, at, Runner(pool, workshop.record, 1))


def test_a_cluster_finds_the_same_byte_for_byte(cluster, folder, residual_course, local, tmp_path):
    with on_cluster(cluster.scheduler_address, residual_course) as runner:
        found = grades(folder, residual_course, tmp_path / "gradebook.db", runner)

    assert len(found) == 8
    assert found == local


def test_a_worker_killed_in_the_middle_changes_nothing(cluster, folder, residual_course, local, tmp_path):
    workers = list(cluster.workers.values())

    def kill_one(_):
        if workers:
            os.kill(workers.pop().pid, signal.SIGKILL)
            workers.clear()

    with on_cluster(cluster.scheduler_address, residual_course) as runner:
        found = grades(folder, residual_course, tmp_path / "gradebook.db", runner, kill_one)

    assert found == local


def test_no_scheduler_is_a_wrong_call(residual_course, monkeypatch):
    monkeypatch.setattr("grader.cluster.CONNECT_SECONDS", 1)
    with pytest.raises(UsageError, match="No Dask scheduler"), on_cluster("tcp://127.0.0.1:9", residual_course):
        pass


def test_a_course_is_the_same_wherever_it_lies(residual_course, solutions, tmp_path):
    (tmp_path / "elsewhere").symlink_to(solutions)
    copied = shutil.copytree(solutions, tmp_path / "copied")

    assert {load_course(root).digest for root in (tmp_path / "elsewhere", copied)} == {residual_course.digest}
