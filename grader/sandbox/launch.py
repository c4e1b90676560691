"""Starting judges from the command: through the fork server on Linux, as fresh processes elsewhere."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import IO

from grader.errors import SandboxError
from grader.sandbox.folders import RunFolder
from grader.sandbox.process import CHUNK
from grader.sandbox.spawned import PACKAGE_ROOT, spawn

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
PASSED_ON = ("LD_LIBRARY_PATH", "OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP")
HEAD_BYTES = 4
# For glibc, others ignore it. A freed tensor stays in the heap for the next one, and is not given back to the system
# and asked for again, page by page; and the heap is made of huge pages where the system has them, since each fork
# copies, and each end clears, one entry per page.
HEAP = "glibc.malloc.mmap_threshold=16777216:glibc.malloc.trim_threshold=16777216:glibc.malloc.hugetlb=1"
BOOT = (
    "import json,socket,sys;c=socket.socket(fileno=0);"
    "r=json.loads(c.recv(65536,socket.MSG_PEEK))['root'];sys.path.insert(0,r);"
    "from grader.sandbox import forkserver;forkserver.main(c)"
)


class Line:
    """The command's end of a judge: length-prefixed messages in both directions."""

    def __init__(self, reader: IO[bytes], writer: IO[bytes]) -> None:
        self._reader, self._writer = reader, writer

    def send(self, body: bytes) -> None:
        """One message. Raises SandboxError when the other end is gone."""
        try:
            self._writer.write(len(body).to_bytes(HEAD_BYTES, "little") + body)
            self._writer.flush()
        except OSError as error:
            raise SandboxError(f"The process that runs the checks is gone ({error}).") from None

    def receive(self) -> bytes | None:
        """The next message, or None when the other end is closed."""
        try:
            head = self._reader.read(HEAD_BYTES)
            return self._reader.read(int.from_bytes(head, "little")) if len(head) == HEAD_BYTES else None
        except OSError:
            return None

    def close(self) -> None:
        """Close this end, whatever has become of the other one."""
        for end in (self._reader, self._writer):
            with contextlib.suppress(OSError):
                end.close()

    @classmethod
    def on(cls, reading: int, writing: int) -> Line:
        """Over two descriptors (the same one twice for a socket)."""
        return cls(open(reading, "rb", closefd=False), open(writing, "wb", closefd=False))


class Launcher(ABC):
    """Starts judges. A judge is a trusted process that calls `entry(reading, writing, workers)`."""

    @abstractmethod
    @contextmanager
    def judge(self, entry: str) -> Iterator[Line]:
        """A running judge, killed at the end of the block. `entry` is `module:function`."""
        yield  # type: ignore[misc]

    @abstractmethod
    def close(self) -> None:
        """End every process that was started here, and remove what they left on disk."""

    def __enter__(self) -> Launcher:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def environment() -> dict[str, str]:
    """A clean environment: one thread per process, no secrets, nothing about the course."""
    kept = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    made = {"LANG": "C.UTF-8", "PATH": os.defpath, "TORCH_COMPILE_DISABLE": "1", "GLIBC_TUNABLES": HEAP}
    return {**kept, **dict.fromkeys(THREADS, "1"), **made}


class ForkLauncher(Launcher):
    """Through one fork server, started by a fresh exec (Linux)."""

    def __init__(self, without: Collection[str] = ()) -> None:
        """`without` names layers of confinement to leave out, so that a test can see what each one stops."""
        self._run = RunFolder()
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-I", *(["-B"] if sys.dont_write_bytecode else []), "-c", BOOT],
                stdin=theirs.fileno(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                env={**environment(), "TORCHINDUCTOR_CACHE_DIR": self._run.path}, start_new_session=True,
            )  # fmt: skip
        config = {"root": PACKAGE_ROOT, "run": self._run.path, "without": list(without)}
        with contextlib.suppress(OSError):  # it has ended already; `judge` says why
            self._control.send(json.dumps(config).encode())

    @contextmanager
    def judge(self, entry: str) -> Iterator[Line]:
        """Fork a judge; waits for torch the first time."""
        ours, theirs = socket.socketpair()
        with ours, theirs:
            try:
                socket.send_fds(self._control, [json.dumps({"entry": entry}).encode()], [theirs.fileno()])
                data, handles, _, _ = socket.recv_fds(self._control, CHUNK, 1)
            except OSError:
                data, handles = b"", []
            if not data:
                raise SandboxError(f"The fork server could not start: {self._words()}")
            theirs.close()
            line = Line(ours.makefile("rb"), ours.makefile("wb"))
            try:
                yield line
            finally:
                line.close()
                with contextlib.suppress(ProcessLookupError):
                    signal.pidfd_send_signal(handles[0], signal.SIGKILL)
                os.close(handles[0])

    def _words(self) -> str:
        self._process.kill()
        words = self._process.communicate()[1].decode("utf-8", "replace").strip()
        return words.splitlines()[-1] if words else "it ended without a word. Is torch installed in this environment?"

    def close(self) -> None:
        """Kill the fork server; the kernel ends everything below it (parent-death signals)."""
        self._control.close()
        self._process.kill()
        self._process.wait()
        if self._process.stderr is not None:
            self._process.stderr.close()
        self._run.remove()


class SpawnLauncher(Launcher):
    """Each judge a fresh process, for systems without fork or the Linux layers."""

    @contextmanager
    def judge(self, entry: str) -> Iterator[Line]:
        """Start Python anew; it imports torch when the first check needs it."""
        process = spawn("judge", {"entry": entry}, stderr=subprocess.DEVNULL, env=environment())
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield Line(open(process.stdout.fileno(), "rb", closefd=False), process.stdin)  # noqa: SIM115
        finally:
            process.kill()
            process.wait()
            process.stdin.close()
            process.stdout.close()

    def close(self) -> None:
        """Nothing outlives a judge's block."""


def launcher() -> Launcher:
    """The best one that this system has. `GRADE_LAUNCHER=spawn` takes the other one, to try it."""
    if sys.platform == "linux" and os.environ.get("GRADE_LAUNCHER") != "spawn" and has_pidfds():
        return ForkLauncher()
    return SpawnLauncher()


def has_pidfds() -> bool:
    """Linux 5.3; some systems that imitate Linux have none."""
    try:
        os.close(os.pidfd_open(os.getpid()))
    except OSError:
        return False
    return True
