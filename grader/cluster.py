"""A class graded on a Dask cluster: every worker has a workshop of its own, to which the course travels once.

Starting, scaling and mending a cluster is Dask's work. Workers need this package, of the same version.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from distributed import Client, Worker, WorkerPlugin, get_worker

from grader.batch import Runner
from grader.errors import SandboxError, UsageError
from grader.intake.contents import Contents
from grader.model.course import Course, load_course
from grader.model.record import Record
from grader.workshop import Workshop

CONNECT_SECONDS = 20
AHEAD = 3  # hand-ins on their way for each thread of a worker


class WorkshopPlugin(WorkerPlugin):
    """Unpacks the course where a worker runs, and opens the workshop there; both are gone when the worker ends."""

    def __init__(self, course: Course, *, unconfined: bool = False) -> None:
        self.name = f"workshop {course.digest}"
        self._unconfined = unconfined
        self._files = course.contents()

    def setup(self, worker: Worker) -> None:
        """Called by Dask on each worker, also on one that joins later."""
        self._folder = tempfile.mkdtemp(prefix="grade-course-")
        for name, data in self._files.items():
            path = Path(self._folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        self.workshop = Workshop(load_course(Path(self._folder)), unconfined=self._unconfined)

    def teardown(self, worker: Worker) -> None:
        """Called by Dask when the worker ends in order."""
        self.workshop.close()
        shutil.rmtree(self._folder, ignore_errors=True)


class Remotely:
    """Grades where it is called, in the workshop of that worker."""

    def __init__(self, course: Course) -> None:
        self._plugin = f"workshop {course.digest}"

    def __call__(self, contents: Contents | str, student: str, digest: str) -> Record:
        """See Workshop.record."""
        plugin: Any = get_worker().plugins.get(self._plugin)
        if plugin is None:
            raise SandboxError(f"The worker {get_worker().address} has no course. Please start the cluster anew.")
        record: Record = plugin.workshop.record(contents, student, digest)
        return record


@contextmanager
def on_cluster(address: str, course: Course, *, unconfined: bool = False) -> Iterator[Runner]:
    """The cluster at `address` (`tcp://…:8786`), or the one of a scheduler file.

    Raises:
        UsageError: there is none, or it has no workers.
    """
    there = {"scheduler_file": address} if Path(address).is_file() else {"address": address}
    try:
        client = Client(timeout=CONNECT_SECONDS, **there)
    except (OSError, TimeoutError, ValueError) as error:
        raise UsageError(f"No Dask scheduler answers at {address} ({error}). Check the address.") from None
    with client:
        threads = sum(client.nthreads().values())
        if not threads:
            raise UsageError(f"The cluster at {address} has no workers yet. Start some, then run the command again.")
        client.register_plugin(WorkshopPlugin(course, unconfined=unconfined))
        yield Runner(client.get_executor(pure=False), Remotely(course), AHEAD * threads)
