"""A machine that has no room for one more process costs the worker that was asked for, and nothing else."""

import errno
import json
import os
import socket
import threading
from types import SimpleNamespace

import pytest

from grader.errors import SandboxError
from grader.model.limits import Limits
from grader.sandbox.forked import ForkedWorkers
from grader.sandbox.nursery import Nursery


def nothing_left(*_):
    raise OSError(errno.EAGAIN, "no more processes")


@pytest.fixture
def pair():
    with_judge, with_nursery = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with with_judge, with_nursery:
        yield with_judge, with_nursery


@pytest.fixture
def full_nursery():
    """A nursery on a machine that can start no process."""
    return Nursery(None, SimpleNamespace(place=lambda *_: None, fork=nothing_left, missing={}))


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


def test_nursery_that_cannot_fork_says_so_and_goes_on(full_nursery, pair):
    judge, seen_by_nursery = pair
    channel, output = os.pipe()
    before = descriptors()

    full_nursery._fork_worker(seen_by_nursery, {"id": 7, "settings": {}}, [channel, output])

    assert json.loads(judge.recv(1000)) == {"id": 7, "refused": "[Errno 11] no more processes"}
    assert descriptors() == before - 2


def test_judge_that_is_refused_a_worker_says_that_it_is_not_the_student(pair):
    judge, nursery = pair
    nursery.send(json.dumps({"layers": [], "missing": {}}).encode())
    workers = ForkedWorkers(judge)

    def refuse():
        _, received, _, _ = socket.recv_fds(nursery, 1000, 2)
        for descriptor in received:
            os.close(descriptor)
        nursery.send(json.dumps({"id": 1, "refused": "no more processes"}).encode())

    answering = threading.Thread(target=refuse)
    answering.start()
    before = descriptors()

    with pytest.raises(SandboxError, match=r"could not be started: no more processes"):
        workers.start(Limits())

    answering.join()
    assert descriptors() == before
