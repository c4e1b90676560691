"""A container of namespaces around the nursery, and in it an own process tree and an own file system for each worker.

The container has no network, no other process, and a root that holds only what a worker may read. It is entered once;
a worker then costs one `unshare` in the nursery and one in itself. As root it needs no user namespace; otherwise it
does, and a system may refuse them (Ubuntu 24.04 to programs without an AppArmor profile, Docker by default).
"""

from __future__ import annotations

import ctypes
import os
import socket
import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from . import kernel as k
from . import privileges, readable

HOME = "/home/student"
STAGE = "/tmp"  # any folder that is always there: the new root is built on it, unseen by anybody
ENTERED = b"entered"
ISOLATED = k.CLONE_NEWNS | k.CLONE_NEWPID | k.CLONE_NEWNET | k.CLONE_NEWIPC | k.CLONE_NEWUTS
STUDENT = 1000  # who an ordinary user is inside
AT_FDCWD, AT_RECURSIVE, ATTR_READ_ONLY = -100, 0x8000, k.MS_RDONLY | k.MS_NOSUID | k.MS_NODEV


def enter(paths: Sequence[str]) -> str:
    """Go on inside, as process 1 of the container; returns why not, and is still outside, where that is refused.

    Two processes stay behind and wait: a new process tree begins with a child, and a refusal half way must not stick.
    """
    told, tell = os.pipe()
    outer = os.fork()
    if outer:
        os.close(tell)
        with open(told, "rb") as pipe:
            words = pipe.read()
        if words == ENTERED:
            _wait_for(outer)
        os.waitpid(outer, 0)
        return words.decode(errors="replace") or "it ended without a word"
    os.close(told)
    try:
        _enter(paths)
    except BaseException as error:
        os.write(tell, (getattr(error, "strerror", None) or str(error)).encode())
        os._exit(1)
    os.write(tell, ENTERED)
    os.close(tell)
    return ""


def _enter(paths: Sequence[str]) -> None:
    privileges.die_with_parent()
    user, group = os.geteuid(), os.getegid()
    if user == 0:
        k.unshare(ISOLATED)
    else:
        k.unshare(ISOLATED | k.CLONE_NEWUSER)
        maps = {"setgroups": "deny", "uid_map": f"{STUDENT} {user} 1", "gid_map": f"{STUDENT} {group} 1"}
        for name, text in maps.items():
            Path("/proc/self", name).write_text(text, encoding="ascii")
    inner = os.fork()
    if inner:
        _wait_for(inner)
    privileges.die_with_parent()
    socket.sethostname("grade")
    trees = os.open("/proc", os.O_PATH)
    with ProcessTrees(trees).new():  # a container without them would keep what workers leave running
        pass
    os.close(trees)
    _new_root(paths)


def _wait_for(child: int) -> NoReturn:
    """Live as long as the child and end like it. It holds the descriptors that count, so none is kept here."""
    os.closerange(3, 1 << 16)
    _, status = os.waitpid(child, 0)
    os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


def _new_root(paths: Sequence[str]) -> None:
    """Change to a root that holds `paths`, read-only, three devices and an empty home. No /proc."""
    shown = [(path, os.open(path, os.O_PATH | os.O_CLOEXEC)) for path in (*paths, *readable.DEVICES)]
    k.mount("none", "/", None, k.MS_REC | k.MS_PRIVATE)
    k.mount("grade", STAGE, "tmpfs", k.MS_NOSUID | k.MS_NODEV, "mode=755,size=1m,nr_inodes=4k")
    for path, descriptor in shown:
        _bind(descriptor, STAGE + path)
        if path not in readable.DEVICES:
            _read_only(STAGE + path)
        os.close(descriptor)
    os.makedirs(STAGE + HOME)
    old = f"{STAGE}/old"
    os.mkdir(old)
    k.call("pivot_root", ctypes.c_char_p(STAGE.encode()), ctypes.c_char_p(old.encode()))
    os.chdir("/")
    k.unmount("/old")
    os.rmdir("/old")
    k.mount("none", "/", None, k.MS_REMOUNT | k.MS_BIND | ATTR_READ_ONLY)


def _bind(descriptor: int, target: str) -> None:
    """Show what was opened at `target`. Opened before, since a link on the way may lead elsewhere in the new root."""
    source = f"/proc/self/fd/{descriptor}"
    os.makedirs(os.path.dirname(target), mode=0o755, exist_ok=True)
    if os.path.isdir(source):
        os.makedirs(target, exist_ok=True)
    else:
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o644))
    k.mount(source, target, None, k.MS_BIND | k.MS_REC)


def _read_only(path: str) -> None:
    """With all that is mounted below it: mount_setattr(2), Linux 5.12."""
    attributes = ctypes.c_char_p(struct.pack("4Q", ATTR_READ_ONLY, 0, 0, 0))
    k.call("mount_setattr", AT_FDCWD, ctypes.c_char_p(path.encode()), AT_RECURSIVE, attributes, 32)


def private_home(size_mib: int, files: int, owner: int | None) -> None:
    """An own empty file system at HOME for this process, in memory: the quota on files that no rlimit gives."""
    k.unshare(k.CLONE_NEWNS)
    options = f"mode=700,size={size_mib}m,nr_inodes={files}"
    if owner is not None:
        options += f",uid={owner},gid={owner}"
    k.mount("home", HOME, "tmpfs", k.MS_NOSUID | k.MS_NODEV | k.MS_NOEXEC, options)


class ProcessTrees:
    """Lets one parent fork each child as process 1 of a tree of its own: nothing in it outlives that child."""

    def __init__(self, proc: int) -> None:
        self._own = os.open("self/ns/pid", os.O_RDONLY | os.O_CLOEXEC, dir_fd=proc)

    @contextmanager
    def new(self) -> Iterator[None]:
        """For the one child that is forked in this block. Without the way back, `unshare` would work only once."""
        k.unshare(k.CLONE_NEWPID)
        yield
        k.setns(self._own, k.CLONE_NEWPID)
