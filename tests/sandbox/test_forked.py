"""The judge's end of a channel: bytes are read ahead and none is lost; what has arrived counts, whatever the clock."""

import os
import socket
import time

import pytest

from grader.model.limits import Limits
from grader.sandbox.forked import Ends, ForkedWorker
from grader.sandbox.process import Gone, Silence
from grader.sandbox.watch import Watch

BEFORE, LATER = 0.0, float("inf")


@pytest.fixture
def ends():
    """A worker whose other ends are the test's: its channel, and what it prints into."""
    limits = Limits()
    ours, theirs = socket.socketpair()
    output, printing = os.pipe()
    with ours, theirs:
        watch = Watch(os.getpid(), limits, at_start=0, folder=None)
        yield ForkedWorker(None, 1, Ends(ours, output, -1, os.getpid(), 0), (watch, limits)), theirs, printing
    os.close(output)
    os.close(printing)


@pytest.mark.parametrize("size", [1, 100_000])
def test_each_read_gives_what_was_asked_for_in_order(ends, size):
    worker, theirs, _ = ends
    data = os.urandom(3 * size)
    theirs.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4 * len(data))
    theirs.sendall(data)

    assert b"".join(worker.read(size, time.monotonic() + 5) for _ in range(3)) == data


def test_what_was_written_before_the_end_is_read(ends):
    worker, theirs, _ = ends
    theirs.sendall(b"abcd")
    theirs.close()

    assert [worker.read(2, LATER), worker.read(2, LATER)] == [b"ab", b"cd"]
    with pytest.raises(Gone):
        worker.read(1, LATER)


def test_what_has_arrived_is_read_when_the_time_is_up(ends):
    worker, theirs, _ = ends
    theirs.sendall(b"ab")

    assert worker.read(2, BEFORE) == b"ab"


@pytest.mark.parametrize("printed", [b"", b"words"])
def test_silence_ends_with_the_time_whatever_was_printed(ends, printed):
    worker, _, printing = ends
    os.write(printing, printed)

    with pytest.raises(Silence):
        worker.read(1, BEFORE)
