"""Workers forked by the nursery (Linux): the judge's end of their channel, output and life."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import time
from typing import Any, NamedTuple

from grader.errors import SandboxError
from grader.model.confinement import Confinement
from grader.model.limits import Limits
from grader.sandbox.process import CHUNK, KILL_SECONDS, Ending, Gone, Output, Silence, WorkerProcess, Workers, settings
from grader.sandbox.watch import INTERVAL_SECONDS, MIB, Watch, most_space

HIDDEN = "/proc hides other processes (hidepid)"


class ForkedWorkers(Workers):
    """Workers forked by the nursery (Linux)."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._started = 0
        self._ended: dict[int, Ending] = {}
        self._confinement: Confinement | None = None

    @property
    def confinement(self) -> Confinement:
        """As the nursery rehearsed it, and the watch from outside."""
        return self._greeted()

    def _greeted(self) -> Confinement:
        """The nursery's first message, read before any other one."""
        if self._confinement is None:
            hello, _ = self._hear(None)
            watch, unseen = (("watch",), {}) if os.access("/proc/1/statm", os.R_OK) else ((), {"watch": HIDDEN})
            self._confinement = Confinement((*hello["layers"], "wall_clock", *watch), hello["missing"] | unseen)
        return self._confinement

    def start(self, limits: Limits) -> WorkerProcess:
        """Ask the nursery; the worker's channel and output are made here and handed over."""
        self._greeted()
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
            if message.get("id") == self._started and "refused" in message:
                ours.close()
                os.close(output)
                raise SandboxError(f"A worker could not be started: {message['refused']}. Please try again.")
            if message.get("id") == self._started:
                pid = pid_of(handles[0])
                watch = Watch(pid, limits, at_start=message["resident"], folder=message["folder"])
                return ForkedWorker(
                    self, self._started, Ends(ours, output, handles[0], pid, message["space"]), (watch, limits)
                )

    def ended(self, number: int, patience: float) -> Ending | None:
        """How worker `number` ended, or None when it still runs after `patience` seconds."""
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
            code, used = os.waitstatus_to_exitcode(message["status"]), message["cpu_seconds"]
            self._ended[message["ended"]] = Ending(code, None, used) if code >= 0 else Ending(None, -code, used)
        return message, handles


def pid_of(handle: int) -> int:
    """The number by which this process knows that of a pidfd, -1 when it has ended; the nursery has another one."""
    with open(f"/proc/self/fdinfo/{handle}", encoding="ascii") as lines:
        return next(int(line.removeprefix("Pid:")) for line in lines if line.startswith("Pid:"))


class Ends(NamedTuple):
    """What we hold of a worker: its channel, the read end of its output, and a pidfd."""

    channel: socket.socket
    output: int
    handle: int
    pid: int
    space: int


class ForkedWorker(WorkerProcess):
    """A worker behind a socket pair, with its output in a pipe that is read whenever we wait."""

    def __init__(self, workers: ForkedWorkers, number: int, ends: Ends, watched: tuple[Watch, Limits]) -> None:
        self._workers, self._number = workers, number
        self._channel, self._pipe, self._handle, self._pid, self._space = ends
        self._watch, limits = watched
        self.output = Output(limits.output_characters)
        self._ahead = b""  # what was read and not yet asked for
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
        """Exactly `count` bytes, while output is drained. Some more are read where they are there, and kept."""
        parts, missing = [self._ahead], count - len(self._ahead)
        while missing > 0:
            self._wait(select.POLLIN, deadline)
            try:
                part = self._channel.recv(max(missing, CHUNK))
            except BlockingIOError:  # it printed, or said nothing for a while
                continue
            except OSError:
                raise Gone from None
            if not part:
                raise Gone
            parts.append(part)
            missing -= len(part)
        data = b"".join(parts)
        self._ahead = data[count:]
        return data[:count]

    def _wait(self, event: int, deadline: float) -> None:
        left = deadline - time.monotonic()
        self._poll.register(self._channel, event)
        ready = [descriptor for descriptor, _ in self._poll.poll(max(0.0, min(left, INTERVAL_SECONDS)) * 1000)]
        if left <= 0 and self._channel.fileno() not in ready:
            raise Silence
        self._watch.now_and_then(idle=not ready)
        if self._pipe in ready:
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

    def most_mib(self) -> int | None:
        """Address space beyond what it was forked with, which its limit counts as well."""
        most = most_space(self._pid)
        return None if most is None else max(0, most - self._space) // MIB

    def end(self, patience: float) -> Ending:
        """Kill after `patience`; the nursery reports how it ended."""
        ending = self._workers.ended(self._number, patience)
        if ending is None:
            with contextlib.suppress(ProcessLookupError):  # it ended in this moment
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)
            self._workers.ended(self._number, KILL_SECONDS)
        self.collect()
        self._channel.close()
        os.close(self._pipe)
        os.close(self._handle)
        return ending or Ending(None, None)
