"""What the workers of one nursery stand on: the container if there is one, and the layers that work on this machine."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any, NoReturn

from grader.sandbox.confine import cgroup, identity, layers, namespaces, readable, rlimits
from grader.sandbox.confine.place import Place

USERS = 64  # when started as root: how many workers in a row have a user of their own
REHEARSAL = {"memory_mib": 256, "file_mib": 1, "folder_mib": 1, "folder_files": 10, "open_files": 64, "cpu_seconds": 10}


@dataclass(frozen=True)
class Ground:
    """`missing` maps each layer that workers do without to the reason; what belongs to one of those is None."""

    run: str
    proc: int
    mapped: rlimits.Mapped
    contained: bool
    trees: namespaces.ProcessTrees | None
    users: range | None
    groups: cgroup.Groups | None
    missing: dict[str, str]
    layers: tuple[str, ...] = ()

    def place(self, number: int, settings: dict[str, Any], keep: tuple[int, ...]) -> Place:
        """The place of worker `number`, with its folder on disk where there is no container."""
        user = self.users[number % USERS] if self.users else None
        folder = namespaces.HOME
        if not self.contained:
            folder = os.path.join(self.run, f"worker-{number}")
            os.mkdir(folder, 0o700)
            if user is not None:
                os.chown(folder, user, user)
                os.chmod(self.run, 0o711)  # noqa: S103  (to be passed through, not read)
        return Place(settings, folder, user, self.contained, self.mapped, self.proc, keep)

    def fork(self, child: Callable[[], NoReturn]) -> int:
        """The pid of a fork that runs `child`, in a process tree of its own where that is possible."""
        with self.trees.new() if self.trees else nullcontext():
            pid = fork(self.proc)
            if pid == 0:
                child()
        return pid

    def group(self, pid: int, settings: dict[str, Any]) -> str | None:
        """The name of the new control group of a worker that has not begun to work yet; its folder is in memory too."""
        return self.groups.add(pid, settings["memory_mib"] + settings["folder_mib"]) if self.groups else None


def prepare(run: str, without: Collection[str], groups: cgroup.Groups | str) -> Ground:
    """Enter the container where the system allows one, and rehearse what a worker will give up.

    The process that returns need not be the one that called. `run` is the folder for the workers' own folders where
    there is no container; `without` names layers to leave out; `groups` are the control groups, or why there are none.
    """
    proc = os.open("/proc", os.O_PATH | os.O_CLOEXEC)  # the container has none
    layers.warm_up()
    mapped = rlimits.mapped_now()
    missing = {"cgroup": groups} if isinstance(groups, str) else {}
    missing |= dict.fromkeys(without, layers.SWITCHED_OFF)
    users = _unused_users(run, missing)
    if "namespaces" not in missing and (refusal := namespaces.enter(readable.paths())):
        missing["namespaces"] = refusal
    contained = "namespaces" not in missing
    trees = namespaces.ProcessTrees(proc) if contained and "process_tree" not in missing else None
    divided = groups if isinstance(groups, cgroup.Groups) and "cgroup" not in missing else None
    ground = Ground(run, proc, mapped, contained, trees, users, divided, missing)
    missing.update({**_rehearsed(ground), **missing})
    names = ["clean_ancestor", *(["namespaces"] if contained else []), "private_folder", "cgroup"]
    names += [layer.name for layer in layers.LAYERS if layer.name != "unused_user" or os.geteuid() == 0]
    there = tuple(name for name in names if name not in missing)
    return replace(
        ground,
        users=users if "unused_user" in there else None,
        groups=divided if "cgroup" in there else None,
        layers=there,
    )


def _unused_users(run: str, missing: dict[str, str]) -> range | None:
    """Users for workers when started as root, if root may give them files: that of a container may not always."""
    if os.geteuid() != 0 or "unused_user" in missing:
        return None
    users = identity.unused(USERS)
    trial = os.path.join(run, "trial")
    os.mkdir(trial)
    try:
        os.chown(trial, users[0], users[0])
    except OSError as error:
        missing["unused_user"] = f"root may not give files to others: {error.strerror}"
        return None
    finally:
        os.rmdir(trial)
    return users


def _rehearsed(ground: Ground) -> dict[str, str]:
    reading, writing = os.pipe()
    place = ground.place(0, REHEARSAL, (writing,))

    def child() -> NoReturn:
        try:
            os.write(writing, json.dumps(layers.rehearse(place, ground.missing)).encode())
        finally:
            os._exit(0)

    pid = ground.fork(child)
    os.close(writing)
    refusal = _in_a_group(ground, pid)
    with open(reading, "rb") as pipe:
        words = pipe.read()
    _, status = os.waitpid(pid, 0)
    if not words:
        raise RuntimeError(f"the rehearsal of a worker ended without a word (wait status {status})")
    return json.loads(words) | refusal  # type: ignore[no-any-return]  # our own words


def _in_a_group(ground: Ground, pid: int) -> dict[str, str]:
    try:
        name = ground.group(pid, REHEARSAL)
        if ground.groups and name:
            ground.groups.remove(name)
    except OSError as error:
        return {"cgroup": str(error)}
    return {}


def fork(proc: int) -> int:
    """os.fork, refused when this process has more than one thread: a forked copy could hang for ever."""
    tasks = os.open("self/task", os.O_RDONLY, dir_fd=proc)
    threads = len(os.listdir(tasks))
    os.close(tasks)
    if threads != 1:
        raise RuntimeError("the fork server has more than one thread; a forked copy could hang")
    return os.fork()
