"""A worker process as the judge sees it: bytes with a deadline, captured output, and how it ended."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, NamedTuple

from grader.model.confinement import Confinement
from grader.model.limits import Limits
from grader.model.results import Printed, Verdict

KILL_SECONDS = 5.0
CHUNK = 1 << 16
CONTINUATION = bytes(range(0x80, 0xC0))  # UTF-8 bytes that begin no character


class Silence(Exception):
    """The deadline passed before the worker had read or said enough."""


class Gone(Exception):
    """The worker's end of the channel is closed."""


class TooMuch(Exception):
    """The worker used more than it may: the verdict that this is, and a sentence for the student with the figures."""

    def __init__(self, verdict: Verdict, happened: str) -> None:
        super().__init__(happened)
        self.verdict, self.happened = verdict, happened


class Ending(NamedTuple):
    """How a process ended: an exit code, or a signal number, or neither when it had to be killed by us."""

    code: int | None
    signal: int | None
    cpu_seconds: float = 0.0


class Output:
    """The first and last part of what was written, and how many characters it was in all."""

    def __init__(self, keep: int) -> None:
        self._keep = keep
        self._head = self._tail = b""
        self._characters = 0

    def add(self, data: bytes) -> None:
        """Take in some bytes; memory stays bounded by three times `keep` and the size of `data`."""
        self._characters += len(data.translate(None, CONTINUATION))
        room = self._keep - len(self._head)
        self._head += data[:room]
        self._tail = (self._tail + data[room:])[-self._keep :]

    def take(self) -> Printed:
        """What was collected since the last call."""
        head, tail = (part.decode("utf-8", "replace") for part in (self._head, self._tail))
        printed = Printed(head, tail, self._characters)
        self._head = self._tail = b""
        self._characters = 0
        return printed


class WorkerProcess(ABC):
    """One untrusted process.

    `read` and `write` raise Silence at the deadline (time.monotonic), Gone at its end, and TooMuch when it was seen to
    use more memory or disk than it may.
    """

    output: Output

    @abstractmethod
    def write(self, data: bytes, deadline: float) -> None:
        """All of `data`."""

    @abstractmethod
    def read(self, count: int, deadline: float) -> bytes:
        """Exactly `count` bytes."""

    @abstractmethod
    def collect(self) -> None:
        """Take what was printed so far into `output`."""

    def most_mib(self) -> int | None:
        """The most memory that it took beyond what it was started with; None where nobody tells."""
        return None

    @abstractmethod
    def end(self, patience: float) -> Ending:
        """Wait `patience` seconds for it to end by itself, kill it otherwise; returns how it ended."""


class Workers(ABC):
    """Starts workers for one judge."""

    @property
    @abstractmethod
    def confinement(self) -> Confinement:
        """What these workers are confined by."""

    @abstractmethod
    def start(self, limits: Limits) -> WorkerProcess:
        """A new, confined worker. Raises SandboxError when none can be had."""


def cpu_seconds(limits: Limits) -> int:
    """CPU time of one worker; only a backstop behind the wall clock of each check."""
    return int(60 + 20 * limits.check_seconds)


def settings(limits: Limits) -> dict[str, Any]:
    """What the confinement needs of the limits."""
    return {
        "memory_mib": limits.memory_mib,
        "file_mib": limits.file_mib,
        "folder_mib": limits.folder_mib,
        "folder_files": limits.folder_files,
        "open_files": limits.open_files,
        "cpu_seconds": cpu_seconds(limits),
    }
