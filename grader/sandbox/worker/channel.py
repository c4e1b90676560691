"""Whole frames over descriptors: the worker's end of the wire."""

from __future__ import annotations

import contextlib
import os
import sys

from . import messages as m

MAX_FRAME = 64 << 20


class JudgeGone(BaseException):
    """The judge closed the channel; no student's `except Exception` may keep the worker alive."""


class Channel:
    """Whole frames over two descriptors (the same one twice for a socket). Ends the process when they are closed."""

    def __init__(self, reading: int, writing: int) -> None:
        self._reading, self._writing = reading, writing

    def send(self, message: m.Frame) -> None:
        """Write one frame; what was printed so far goes out first, so that it belongs to the right check.

        Raises:
            BadFrame: it is longer than a frame may be; nothing was written.
        """
        _flush()
        data = memoryview(m.encode(message))
        if len(data) > MAX_FRAME:
            raise m.BadFrame(f"{len(data) >> 20} MiB of data")
        while data:
            try:
                data = data[os.write(self._writing, data) :]
            except OSError:
                os._exit(m.CHANNEL_CLOSED)

    def receive(self) -> bytes:
        """The body of the next frame. Raises JudgeGone at the end."""
        (length,) = m.HEAD.unpack(self._exactly(m.HEAD.size))
        return self._exactly(min(length, MAX_FRAME))

    def _exactly(self, count: int) -> bytes:
        parts = []
        while count:
            try:
                part = os.read(self._reading, min(count, 1 << 20))
            except OSError:
                os._exit(m.CHANNEL_CLOSED)
            if not part:
                raise JudgeGone
            parts.append(part)
            count -= len(part)
        return b"".join(parts)


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(BaseException):  # a student may have replaced or closed it
            stream.flush()
