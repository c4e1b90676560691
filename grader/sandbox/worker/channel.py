"""Whole frames over descriptors: the worker's end of the wire."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import Any, Literal

from . import messages as m
from . import wire


class JudgeGone(BaseException):
    """The judge closed the channel; no student's `except Exception` may keep the worker alive."""


class Channel:
    """Whole frames over two descriptors (the same one twice for a socket). Ends the process when they are closed."""

    def __init__(self, reading: int, writing: int) -> None:
        self._reading, self._writing = reading, writing
        self._question = 0

    def send(self, message: m.Frame) -> None:
        """Write one frame; what was printed so far goes out first, so that it belongs to the right check.

        Raises:
            BadFrame: it holds more than a reply may; nothing was written.
        """
        _flush()
        frame = wire.encode(message, self._question)
        wire.announced(frame[: wire.HEAD.size], self._question)
        data = memoryview(frame)
        while data:
            try:
                data = data[os.write(self._writing, data) :]
            except OSError:
                os._exit(m.CHANNEL_CLOSED)

    def receive(self, kind: Literal["request", "answer"]) -> Any:
        """The next message. Raises JudgeGone at the end."""
        self._question, structure, tensors = wire.HEAD.unpack(self._exactly(wire.HEAD.size))
        return wire.decode(kind, self._exactly(structure + tensors), structure)

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
