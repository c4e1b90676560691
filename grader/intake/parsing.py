"""Asks `parser`, a process of its own, what sources define. A hostile one may end it, and costs its share of time."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Self

import msgspec

from grader.errors import SandboxError
from grader.intake.outline import Outline, skimmed

SOURCE_SECONDS = 5.0
SUBMISSION_SECONDS = 20.0
MEMORY_MIB = 512  # ordinary code takes 1 MiB, the largest file full of it 230
KEPT_MIB = 64  # a process that has grown beyond it ends after its answer, so that the next source finds its room
MOST_BYTES_PARSED = 256 << 10
_MOST_ANSWER_BYTES = 64 << 20
_CHILD = Path(__file__).with_name("parser.py")


class Child:
    """A process that parses. `is_used`: it has seen other sources, and may not be as it was when it started."""

    def __init__(self) -> None:
        self._process = _started()
        self.is_used = False

    def ask(self, request: bytes, seconds: float) -> Outline | None:
        """What it answers. Whatever else happens, it takes too long for example, is the end of this process."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        clock, outline = threading.Timer(seconds, self._process.kill), None
        clock.start()
        try:
            self._process.stdin.write(request)
            self._process.stdin.flush()
            outline = msgspec.json.decode(self._process.stdout.readline(_MOST_ANSWER_BYTES), type=Outline)
        except (OSError, msgspec.MsgspecError):
            pass
        finally:
            clock.cancel()
            self.is_used = True
            if outline is None:
                self.close()
        return outline

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        with contextlib.suppress(OSError):  # what was written and not read
            self._process.communicate()


class Parsers:
    """Processes that are kept for the next submission: starting one takes longer than all it is asked for.

    Threads may share them; each submission has one to itself while it is read.
    """

    def __init__(self) -> None:
        self._free: SimpleQueue[Child] = SimpleQueue()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End those that are free."""
        while child := self.take():
            child.close()

    def take(self) -> Child | None:
        """One that is free."""
        try:
            return self._free.get_nowait()
        except Empty:
            return None

    def keep(self, child: Child) -> None:
        """Let another submission have it."""
        self._free.put(child)


class Parser:
    """One for each submission. It takes a process of those that are kept, or starts one at the first source.

    What takes too long (each source, and all of them), takes too much memory or crashes the parser is skimmed: the
    worker, which has limits of its own, will find out what it does.
    """

    def __init__(self, wanted: Iterable[str], parsers: Parsers | None = None) -> None:
        self._wanted = sorted(wanted)
        self._parsers = parsers
        self._child = parsers.take() if parsers else None
        self._seconds_left = SUBMISSION_SECONDS

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def outline(self, source: str) -> Outline:
        """What the source defines.

        Raises:
            SandboxError: the process cannot be started.
        """
        if self._seconds_left <= 0 or len(source.encode()) > MOST_BYTES_PARSED:
            return skimmed(source)
        outline = self._asked(msgspec.json.encode({"source": source, "wanted": self._wanted}) + b"\n")
        if outline is None:
            return skimmed(source)
        return skimmed(source, outline.lookalikes) if outline.is_broken else outline

    def close(self) -> None:
        """Give the process back, or end it."""
        child, self._child = self._child, None
        if child and self._parsers:
            self._parsers.keep(child)
        elif child:
            child.close()

    def _asked(self, request: bytes) -> Outline | None:
        """A process that has seen other sources may have ended of those: then a fresh one decides."""
        outline = None
        while outline is None and self._seconds_left > 0:
            child, self._child = self._child or Child(), None
            was_used, limit, begun = child.is_used, min(SOURCE_SECONDS, self._seconds_left), time.monotonic()
            outline = child.ask(request, limit)
            seconds = time.monotonic() - begun
            self._seconds_left -= seconds
            if outline is not None:
                self._child = child
            elif not was_used or seconds >= limit:
                break
        return outline


def _started() -> subprocess.Popen[bytes]:
    """Isolated, without site packages: nothing that lies about can be imported."""
    command = [sys.executable, "-I", "-S", "-B", str(_CHILD), str(MEMORY_MIB), str(KEPT_MIB)]
    try:
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    except OSError as error:
        raise SandboxError(f"The process that parses source files could not be started ({error.strerror}).") from None
