"""Runs as a judge: hands its line to the nursery over to a test, so that the test can start workers itself."""

import socket

from grader.sandbox.launch import Line


def main(reading: int, writing: int, workers: int) -> None:
    """The first message is the address of a listening socket; stays until the line is closed."""
    line = Line.on(reading, writing)
    address = line.receive()
    assert address is not None
    with socket.socket(socket.AF_UNIX) as channel:
        channel.connect(address.decode())
        socket.send_fds(channel, [b"workers"], [workers])
    line.receive()
