"""Workers forked by the nursery (Linux): the judge's end of their channel, output and life."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import time
from typing import Any

from grader.errors import SandboxError
from grader.model.limits import Limits
from grader.sandbox.process import CHUNK, KILL_SECONDS, Ending, Gone, Output, Silence, WorkerProcess, Workers, settings


class ForkedWorkers(Workers):
    """Workers forked by the nursery (Linux)."""

    layers = (
        "clean_ancestor", "descriptors", "environment", "folder", "no_new_privs", "not_dumpable", "parent_death",
        "rlimits", "wall_clock",
    )  # fmt: skip

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._started = 0
        self._ended: dict[int, int] = {}

    def start(self, limits: Limits) -> WorkerProcess:
        """Ask the nursery; the worker's channel and output are made here and handed over."""
        self._started += 1
        ours, theirs = socket.socketpair()
        output, output_end = os.pipe()
        request = {"id": self._started, "settings": settings(limits)}
        try:
            socket.send_fds(self._control, [json.dumps(request).encode()], [theirs.fileno(), output_end])
        except OSError as error:
            raise SandboxError(
                f"The process that starts workers is gone ({error}). Please run the command again."
            ) from None
        finally:
            theirs.close()
            os.close(output_end)
        while True:
            message, handles = self._hear(None)
            if message.get("id") == self._started:
                return ForkedWorker(self, self._started, (ours, output, handles[0]), limits.output_characters)

    def ended(self, number: int, patience: float) -> int | None:
        """The wait status of worker `number`, or None when it still runs after `patience` seconds."""
        deadline = time.monotonic() + patience
        while number not in self._ended:
            left = deadline - time.monotonic()
            if left < 0 or not select.select([self._control], [], [], left)[0]:
                return None
            self._hear(None)
        return self._ended.pop(number)

    def _hear(self, timeout: float | None) -> tuple[dict[str, Any], list[int]]:
        self._control.settimeout(timeout)
        data, handles, _, _ = socket.recv_fds(self._control, CHUNK, 1)
        if not data:
            raise SandboxError("The process that starts workers ended. Please run the command again.")
        message = json.loads(data)
        if "ended" in message:
            self._ended[message["ended"]] = message["status"]
        return message, handles


class ForkedWorker(WorkerProcess):
    """A worker behind a socket pair, with its output in a pipe that is read whenever we wait."""

    def __init__(self, workers: ForkedWorkers, number: int, ends: tuple[socket.socket, int, int], keep: int) -> None:
        """`ends`: its channel, the read end of its output, and a pidfd. `keep`: characters kept of the output."""
        self._workers, self._number = workers, number
        self._channel, self._pipe, self._handle = ends
        self.output = Output(keep)
        os.set_blocking(self._pipe, False)
        self._channel.setblocking(False)
        self._poll = select.poll()
        self._poll.register(self._pipe, select.POLLIN)

    def write(self, data: bytes, deadline: float) -> None:
        """All of `data`, while output is drained."""
        view = memoryview(data)
        while view:
            try:
                view = view[self._channel.send(view) :]
            except BlockingIOError:
                self._wait(select.POLLOUT, deadline)
            except OSError:
                raise Gone from None

    def read(self, count: int, deadline: float) -> bytes:
        """Exactly `count` bytes, while output is drained."""
        parts = []
        while count:
            try:
                part = self._channel.recv(min(count, 1 << 20))
            except BlockingIOError:
                self._wait(select.POLLIN, deadline)
                continue
            except OSError:
                raise Gone from None
            if not part:
                raise Gone
            parts.append(part)
            count -= len(part)
        return b"".join(parts)

    def _wait(self, event: int, deadline: float) -> None:
        left = deadline - time.monotonic()
        if left <= 0:
            raise Silence
        self._poll.register(self._channel, event)
        for descriptor, _ in self._poll.poll(left * 1000):
            if descriptor == self._pipe:
                self._drain_some()

    def _drain_some(self) -> bool:
        try:
            data = os.read(self._pipe, CHUNK)
        except BlockingIOError:
            return False
        if not data:
            self._poll.unregister(self._pipe)
        self.output.add(data)
        return bool(data)

    def collect(self) -> None:
        """At most what a pipe holds: the worker flushes before it answers."""
        for _ in range(32):
            try:
                if not self._drain_some():
                    return
            except (KeyError, OSError):
                return

    def end(self, patience: float) -> Ending:
        """Kill after `patience`; the nursery reports the wait status."""
        status = self._workers.ended(self._number, patience)
        killed = status is None
        if status is None:
            signal.pidfd_send_signal(self._handle, signal.SIGKILL)
            status = self._workers.ended(self._number, KILL_SECONDS)
        self.collect()
        self._channel.close()
        os.close(self._pipe)
        os.close(self._handle)
        if killed or status is None:
            return Ending(None, None)
        return Ending(None, os.WTERMSIG(status)) if os.WIFSIGNALED(status) else Ending(os.WEXITSTATUS(status), None)
