"""The nursery: the confined copy of the fork server that forks the workers, reaps them and removes what they leave.

It lives in a container of namespaces where the system allows one, in which it sees no other process, no network and no
file but those that a worker may read. What a worker will have of confinement is rehearsed once, before the first one.

    fork server → nursery   {} + [control]                            a new judge may ask for workers
    nursery → judge         {"layers", "missing"}                     once, at the start
    judge → nursery         {"id", "settings"} + [channel, output]    fork a worker
    nursery → judge         {"id", "folder", "resident", "space"} + [pidfd]
                                                                      it runs; its folder if that is on disk
                            {"id", "refused"}                         the system has nothing left to start one with
                            {"ended": id, "status", "cpu_seconds"}    it ended, with that wait status
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import sys
import traceback
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any, NoReturn

from grader.sandbox.confine import descriptors, privileges
from grader.sandbox.confine.cgroup import Groups
from grader.sandbox.confine.layers import lock_down
from grader.sandbox.confine.place import Place
from grader.sandbox.folders import remove
from grader.sandbox.ground import Ground, prepare

MAX_REQUEST = 1 << 16


def become_nursery(control: socket.socket, config: dict[str, Any], groups: Groups | str) -> NoReturn:
    """Be the nursery until the fork server is gone. `groups`: control groups for workers, or why there are none."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    privileges.die_with_parent()
    ground = prepare(config["run"], config["without"], groups)
    privileges.adopt_orphans()
    Nursery(control, ground).serve()


@dataclass
class Child:
    """A worker that runs: who asked for it, under which number, its folder on disk and its control group if any."""

    judge: socket.socket
    number: int
    pid: int
    folder: str | None
    group: str | None


class Nursery:
    """Forks workers on behalf of judges and reports how they ended."""

    def __init__(self, control: socket.socket, ground: Ground) -> None:
        self._control, self._ground = control, ground
        self._judges: dict[int, socket.socket] = {}
        self._children: dict[int, Child] = {}
        self._started = 0

    def serve(self) -> NoReturn:
        """Until the fork server is gone, which ends every worker too."""
        while True:
            ready, _, _ = select.select([self._control.fileno(), *self._judges, *self._children], [], [])
            for descriptor in ready:
                if descriptor == self._control.fileno():
                    self._new_judge()
                elif descriptor in self._children:
                    self._reap(descriptor)
                elif descriptor in self._judges:
                    self._request(self._judges[descriptor])

    def _new_judge(self) -> None:
        data, received, _, _ = socket.recv_fds(self._control, MAX_REQUEST, 1)
        if not data:
            os._exit(0)
        judge = socket.socket(fileno=received[0])
        self._judges[judge.fileno()] = judge
        _tell(judge, {"layers": self._ground.layers, "missing": self._ground.missing})

    def _request(self, judge: socket.socket) -> None:
        try:
            data, received, _, _ = socket.recv_fds(judge, MAX_REQUEST, 2)
        except ConnectionResetError:
            data, received = b"", []
        if data:
            self._fork_worker(judge, json.loads(data), received)
            return
        for child in self._children.values():  # the judge is gone: its workers have nobody left to answer
            if child.judge is judge:
                kill_group(child.pid)
        self._judges.pop(judge.fileno()).close()

    def _fork_worker(self, judge: socket.socket, request: dict[str, Any], received: list[int]) -> None:
        self._started += 1
        ground, settings, (channel, output) = self._ground, request["settings"], received
        try:
            place = ground.place(self._started, settings, (channel,))
            pid = ground.fork(lambda: be_worker(place, ground.missing, channel, output))
        except OSError as error:  # the machine has no process or no room on disk left; later it may
            _tell(judge, {"id": request["id"], "refused": str(error)})
            return
        finally:
            os.close(channel)
            os.close(output)
        handle = os.pidfd_open(pid)
        on_disk = None if ground.contained else place.folder
        self._children[handle] = Child(judge, request["id"], pid, on_disk, ground.group(pid, settings))
        mapped = {"resident": ground.mapped.resident, "space": ground.mapped.space}
        _tell(judge, {"id": request["id"], "folder": on_disk, **mapped}, handle)

    def _reap(self, handle: int) -> None:
        child = self._children.pop(handle)
        kill_group(child.pid)  # whatever it started in its process group
        _, status, used = os.wait4(child.pid, 0)
        os.close(handle)
        self._end_strays()
        if child.folder is not None:
            remove(child.folder)
        if child.group is not None and self._ground.groups:
            self._ground.groups.remove(child.group)
        _tell(child.judge, {"ended": child.number, "status": status, "cpu_seconds": used.ru_utime + used.ru_stime})

    def _end_strays(self) -> None:
        """Kill what left its worker's process group and outlived it. In a process tree of its own nothing can."""
        known = {child.pid for child in self._children.values()}
        while strays := set(() if self._ground.trees else children(self._ground.proc)) - known:
            for pid in strays:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)


def be_worker(place: Place, without: Collection[str], channel: int, output: int) -> NoReturn:
    """The forked child that becomes a worker: confine, then serve."""
    try:
        os.setsid()
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        descriptors.use_as_output(output)
        lock_down(place, without)
        sys.modules["grader.sandbox.worker.serving"].serve(channel, channel)
    except BaseException:  # before the first frame this is our fault, and the output is all that can say so
        traceback.print_exc()
    finally:
        os._exit(70)


def children(proc: int) -> Iterable[int]:
    """The children of this process, orphans adopted by it included; none where the kernel does not list them."""
    try:
        with open(os.open(f"self/task/{os.getpid()}/children", os.O_RDONLY, dir_fd=proc), encoding="ascii") as listed:
            return [int(pid) for pid in listed.read().split()]
    except OSError:
        return []


def kill_group(leader: int) -> None:
    """SIGKILL for a worker and its process group; none yet is no trouble."""
    for kill in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError):
            kill(leader, signal.SIGKILL)


def _tell(judge: socket.socket, message: dict[str, Any], *handles: int) -> None:
    with contextlib.suppress(OSError):  # the judge is gone; its socket's end is noticed in `serve`
        socket.send_fds(judge, [json.dumps(message).encode()], list(handles))
