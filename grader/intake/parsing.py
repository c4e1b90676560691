"""Asks `parser`, a process of its own, what sources define. A hostile one may end it, and costs its share of time."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import threading
import time
from collections.abc import Iterable
from pathlib import Path

import msgspec

from grader.errors import SandboxError
from grader.intake.outline import Outline, skimmed

SOURCE_SECONDS = 5.0
SUBMISSION_SECONDS = 20.0
MEMORY_MIB = 512  # ordinary code takes 1 MiB, the largest file full of it 230
MOST_BYTES_PARSED = 256 << 10
_MOST_ANSWER_BYTES = 64 << 20
_CHILD = Path(__file__).with_name("parser.py")


class Parser:
    """One for each submission. The process is started at the first source, and anew after one that ended it.

    What takes too long (each source, and all of them), takes too much memory or crashes the parser is skimmed: the
    worker, which has limits of its own, will find out what it does.
    """

    def __init__(self, wanted: Iterable[str]) -> None:
        self._wanted = sorted(wanted)
        self._process: subprocess.Popen[bytes] | None = None
        self._seconds_left = SUBMISSION_SECONDS

    def __enter__(self) -> Parser:
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
        begun = time.monotonic()
        answer = self._answer(msgspec.json.encode({"source": source, "wanted": self._wanted}) + b"\n")
        self._seconds_left -= time.monotonic() - begun
        try:
            outline = msgspec.json.decode(answer, type=Outline)
        except msgspec.MsgspecError:  # it ended in the middle, or before
            self.close()
            return skimmed(source)
        return skimmed(source, outline.lookalikes) if outline.is_broken else outline

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            with contextlib.suppress(OSError):  # what was written and not read
                self._process.communicate()
            self._process = None

    def _answer(self, request: bytes) -> bytes:
        self._process = self._process or _started()
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        clock = threading.Timer(min(SOURCE_SECONDS, self._seconds_left), self._process.kill)
        clock.start()
        try:
            self._process.stdin.write(request)
            self._process.stdin.flush()
            return self._process.stdout.readline(_MOST_ANSWER_BYTES)
        except OSError:
            return b""
        finally:
            clock.cancel()


def _started() -> subprocess.Popen[bytes]:
    """Isolated, without site packages: nothing that lies about can be imported."""
    command = [sys.executable, "-I", "-S", "-B", str(_CHILD), str(MEMORY_MIB)]
    try:
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    except OSError as error:
        raise SandboxError(f"The process that parses source files could not be started ({error.strerror}).") from None
