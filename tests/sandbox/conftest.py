"""Workers of both kinds, started from a test as a judge would start them."""

import socket
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from grader.checks.probe import ProbeDesk
from grader.checks.student import Student
from grader.model.limits import Limits
from grader.sandbox.forked import ForkedWorkers
from grader.sandbox.launch import Launcher
from grader.sandbox.session import Session, Source
from grader.sandbox.spawned import SpawnedWorkers
from grader.sandbox.worker import messages as m


@contextmanager
def forked_workers(launcher: Launcher, folder: Path) -> Iterator[ForkedWorkers]:
    """Workers of the nursery of `launcher`."""
    address = str(folder / "socket")
    with socket.socket(socket.AF_UNIX) as listening, launcher.judge("tests.sandbox.handed_over:main") as line:
        listening.bind(address)
        listening.listen(1)
        line.send(address.encode())
        with listening.accept()[0] as channel:
            _, descriptors, _, _ = socket.recv_fds(channel, 16, 1)
        with socket.socket(fileno=descriptors[0]) as control:
            yield ForkedWorkers(control)


@pytest.fixture(scope="session")
def open_forked() -> Callable[..., AbstractContextManager[ForkedWorkers]]:
    return forked_workers


@pytest.fixture(scope="session")
def forked(launch: Launcher, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ForkedWorkers]:
    with forked_workers(launch, tmp_path_factory.mktemp("forked")) as workers:
        yield workers


@pytest.fixture(scope="module", params=["forked", "spawned"])
def workers(request: pytest.FixtureRequest) -> ForkedWorkers | SpawnedWorkers:
    return request.getfixturevalue("forked") if request.param == "forked" else SpawnedWorkers()


@pytest.fixture(scope="session")
def open_session() -> Callable[..., Session]:
    """Makes a session for one file of source, not loaded yet."""

    def opened(workers: ForkedWorkers | SpawnedWorkers, source: str, *wanted: str, **limits: float) -> Session:
        unit = m.Unit("residual_add", "residual_add.py", False, [(None, source)])
        return Session(workers, Source([unit], wanted), Limits(**limits))

    return opened


@pytest.fixture(scope="session")
def student_of() -> Callable[[Session], Student]:
    return lambda session: Student(session, ProbeDesk())
