"""The clean ancestor and its nursery: torch is imported once, every judge and every worker is a fork.

    grade ──exec──▶ fork server ──fork──▶ judge      trusted, loads the course after the fork
                         └──────fork──▶ nursery ──fork──▶ worker   untrusted, confines itself first

The fork server is a fresh exec with a clean environment. It holds Python, torch and the worker's code and never a
course, a check, a key or a submission, so a worker's memory has none of them either. It runs one thread and refuses to
fork when there are more, since a forked copy of a multi-threaded process can hang for ever.

Requests travel over SEQPACKET sockets, one JSON object and its descriptors each:

    grade → fork server     {"root", "run", "without"}              first: the package's place, this run's folder,
                                                                    layers of confinement to leave out
                            {"entry": "module:function"} + [job]    fork a judge → {"pid"} + [pidfd]
    fork server → nursery   {} + [control]                          a new judge may ask for workers
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import signal
import socket
import sys
import warnings
from dataclasses import dataclass
from typing import Any, NoReturn

from grader.sandbox.confine import cgroup, privileges
from grader.sandbox.ground import fork
from grader.sandbox.nursery import become_nursery

MAX_REQUEST = 1 << 16


def main(control: socket.socket) -> NoReturn:
    """Serve until the other end of `control` is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # judges are reaped by the kernel; the nursery waits for workers
    privileges.die_with_parent()
    control = off_stdin(control)
    config = json.loads(control.recv(MAX_REQUEST))
    gc.disable()  # what is imported stays; to look through it again and again is a tenth of importing torch
    import_torch()
    # What the worker runs is imported here, before the first fork, and the way back to the checkout is removed.
    importlib.import_module("grader.sandbox.worker.serving")
    sys.path.remove(config["root"])
    sys.path_importer_cache.clear()  # here once: in each worker it would copy thousands of shared pages
    gc.freeze()
    gc.enable()
    proc = os.open("/proc", os.O_PATH | os.O_CLOEXEC)
    server = ForkServer(control, config["root"], fork_nursery(control, config, proc), proc)
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
    proc: int

    def fork_judge(self, entry: str, job: int) -> None:
        """Fork a judge that calls `entry(job, job, workers)`: descriptors of its job and of its way to workers."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        socket.send_fds(self.nursery, [b"{}"], [theirs.fileno()])
        theirs.close()
        pid = fork(self.proc)
        if pid == 0:
            self.control.close()
            self.nursery.close()
            be_judge(self.root, entry, job, ours.detach())
        ours.close()
        os.close(job)
        handle = os.pidfd_open(pid)
        socket.send_fds(self.control, [json.dumps({"pid": pid}).encode()], [handle])
        os.close(handle)


def fork_nursery(control: socket.socket, config: dict[str, Any], proc: int) -> socket.socket:
    """Fork the nursery while there is nothing yet that it could inherit; returns the way to introduce judges to it."""
    try:
        groups: cgroup.Groups | str = cgroup.divide((os.getpid(), os.getppid()))
    except OSError as error:
        groups = str(error)
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    if fork(proc) == 0:
        ours.close()
        control.close()
        become_nursery(theirs, config, groups)
    theirs.close()
    return ours


def be_judge(root: str, entry: str, job: int, workers: int) -> NoReturn:
    """The forked child that becomes a judge."""
    code = 70
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        privileges.die_with_parent()
        privileges.not_dumpable()  # it will hold the hidden checks: no neighbour of the same user may look
        sys.path.insert(0, root)
        module, _, function = entry.partition(":")
        getattr(importlib.import_module(module), function)(job, job, workers)
        code = 0
    finally:
        os._exit(code)
