"""The clean ancestor and its nursery: torch is imported once, every judge and every worker is a fork.

    grade ──exec──▶ fork server ──fork──▶ judge      trusted, loads the course after the fork
                         └──────fork──▶ nursery ──fork──▶ worker   untrusted, confines itself first

The fork server is a fresh exec with a clean environment. It holds Python, torch and the worker's code and never a
course, a check, a key or a submission, so a worker's memory has none of them either. It runs one thread and refuses to
fork when there are more, since a forked copy of a multi-threaded process can hang for ever.

Requests travel over SEQPACKET sockets, one JSON object and its descriptors each:

    grade → fork server     {"root": …, "run": …}                     first: the package's place, this run's folder
                            {"entry": "module:function"} + [job]      fork a judge    → {"pid"} + [pidfd]
    fork server → nursery   {} + [control]                            a new judge may ask for workers
    judge → nursery         {"id", "settings"} + [channel, output]    fork a worker   → {"id", "pid"} + [pidfd]
    nursery → judge         {"ended": id, "status"}                   wait status, after the worker's end
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import select
import shutil
import signal
import socket
import sys
import traceback
import warnings
from dataclasses import dataclass, field
from typing import Any, NoReturn

from grader.sandbox.confine import descriptors, lock_down, privileges, rlimits

MAX_REQUEST = 1 << 16


def main(control: socket.socket) -> NoReturn:
    """Serve until the other end of `control` is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # judges are reaped by the kernel; the nursery waits for workers
    privileges.die_with_parent()
    control = off_stdin(control)
    config = json.loads(control.recv(MAX_REQUEST))
    import_torch()
    # What the worker runs is imported here, before the first fork, and the way back to the checkout is removed.
    importlib.import_module("grader.sandbox.worker.serving")
    sys.path.remove(config["root"])
    gc.collect()
    gc.freeze()
    server = ForkServer(control, config["root"], fork_nursery(control, config["run"]))
    while True:
        data, received, _, _ = socket.recv_fds(control, MAX_REQUEST, 1)
        if not data:
            os._exit(0)
        server.fork_judge(json.loads(data)["entry"], received[0])


def off_stdin(control: socket.socket) -> socket.socket:
    """The same socket above 2, and /dev/null as stdin: a free descriptor 0 would be given to the next channel."""
    moved = control.dup()
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, control.detach())
    os.close(null)
    return moved


def import_torch() -> None:
    """torch, and one forward pass so that lazy parts are there; no backward, which may start threads."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import torch
        from torch import nn

        with torch.no_grad():
            for dtype in (torch.float32, torch.float64):
                nn.Sequential(nn.Linear(4, 4), nn.GELU(), nn.LayerNorm(4)).to(dtype)(torch.zeros(2, 4, dtype=dtype))


@dataclass
class ForkServer:
    """Forks judges, and introduces each to the nursery."""

    control: socket.socket
    root: str
    nursery: socket.socket

    def fork_judge(self, entry: str, job: int) -> None:
        """Fork a judge that calls `entry(job, job, workers)`: descriptors of its job and of its way to workers."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        socket.send_fds(self.nursery, [b"{}"], [theirs.fileno()])
        theirs.close()
        pid = fork()
        if pid == 0:
            self.control.close()
            self.nursery.close()
            be_judge(self.root, entry, job, ours.detach())
        ours.close()
        os.close(job)
        handle = os.pidfd_open(pid)
        socket.send_fds(self.control, [json.dumps({"pid": pid}).encode()], [handle])
        os.close(handle)


def fork_nursery(control: socket.socket, run: str) -> socket.socket:
    """Fork the nursery while there is nothing yet that it could inherit; returns the way to introduce judges to it."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    if fork() == 0:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        privileges.die_with_parent()
        ours.close()
        control.close()
        Nursery(theirs, run).serve()
    theirs.close()
    return ours


def be_judge(root: str, entry: str, job: int, workers: int) -> NoReturn:
    """The forked child that becomes a judge."""
    code = 70
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        privileges.die_with_parent()
        sys.path.insert(0, root)
        module, _, function = entry.partition(":")
        getattr(importlib.import_module(module), function)(job, job, workers)
        code = 0
    finally:
        os._exit(code)


@dataclass
class Child:
    """A worker that runs: who asked for it, under which number, and its private folder."""

    judge: socket.socket
    number: int
    pid: int
    folder: str


@dataclass
class Nursery:
    """Forks workers on behalf of judges and reports how they ended."""

    control: socket.socket
    run: str
    judges: dict[int, socket.socket] = field(default_factory=dict)
    children: dict[int, Child] = field(default_factory=dict)
    started: int = 0
    mapped: rlimits.Mapped = field(default_factory=rlimits.mapped_now)

    def serve(self) -> NoReturn:
        """Until the fork server is gone, which ends every worker too."""
        while True:
            ready, _, _ = select.select([self.control.fileno(), *self.judges, *self.children], [], [])
            for descriptor in ready:
                if descriptor == self.control.fileno():
                    self._new_judge()
                elif descriptor in self.children:
                    self._reap(descriptor)
                elif descriptor in self.judges:
                    self._request(self.judges[descriptor])

    def _new_judge(self) -> None:
        data, received, _, _ = socket.recv_fds(self.control, MAX_REQUEST, 1)
        if not data:
            os._exit(0)
        judge = socket.socket(fileno=received[0])
        self.judges[judge.fileno()] = judge

    def _request(self, judge: socket.socket) -> None:
        try:
            data, received, _, _ = socket.recv_fds(judge, MAX_REQUEST, 2)
        except ConnectionResetError:
            data, received = b"", []
        if data:
            self._fork_worker(judge, json.loads(data), received)
            return
        for child in self.children.values():  # the judge is gone: its workers have nobody left to answer
            if child.judge is judge:
                kill_group(child.pid)
        self.judges.pop(judge.fileno()).close()

    def _fork_worker(self, judge: socket.socket, request: dict[str, Any], received: list[int]) -> None:
        self.started += 1
        folder = os.path.join(self.run, f"worker-{self.started}")
        os.mkdir(folder, 0o700)
        settings = {**request["settings"], "folder": folder}
        pid = fork()
        if pid == 0:
            be_worker(settings, self.mapped, *received)
        for descriptor in received:
            os.close(descriptor)
        handle = os.pidfd_open(pid)
        self.children[handle] = Child(judge, request["id"], pid, folder)
        _tell(judge, {"id": request["id"], "pid": pid}, handle)

    def _reap(self, handle: int) -> None:
        child = self.children.pop(handle)
        kill_group(child.pid)  # whatever it started in its process group
        _, status = os.waitpid(child.pid, 0)
        os.close(handle)
        shutil.rmtree(child.folder, ignore_errors=True)
        _tell(child.judge, {"ended": child.number, "status": status})


def be_worker(settings: dict[str, Any], mapped: rlimits.Mapped, channel: int, output: int) -> NoReturn:
    """The forked child that becomes a worker: confine, then serve."""
    try:
        os.setsid()
        privileges.die_with_parent()
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        descriptors.use_as_output(output)
        lock_down(settings, mapped, (channel,))
        sys.modules["grader.sandbox.worker.serving"].serve(channel, channel)
    except BaseException:  # before the first frame this is our fault, and the output is all that can say so
        traceback.print_exc()
    finally:
        os._exit(70)


def kill_group(leader: int) -> None:
    """SIGKILL for a worker and its process group; none yet is no trouble."""
    for kill in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError):
            kill(leader, signal.SIGKILL)


def _tell(judge: socket.socket, message: dict[str, Any], *handles: int) -> None:
    with contextlib.suppress(OSError):  # the judge is gone; its socket's end is noticed in `serve`
        socket.send_fds(judge, [json.dumps(message).encode()], list(handles))


def fork() -> int:
    """os.fork, refused when this process has more than one thread."""
    if len(os.listdir("/proc/self/task")) != 1:
        raise RuntimeError("the fork server has more than one thread; a forked copy could hang")
    return os.fork()
