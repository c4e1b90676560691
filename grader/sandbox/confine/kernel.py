"""The few system calls that the standard library does not wrap. Each raises OSError with the kernel's reason."""

from __future__ import annotations

import ctypes
import os

from . import syscalls

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long

CLONE_NEWNS, CLONE_NEWUTS, CLONE_NEWIPC = 0x20000, 0x4000000, 0x8000000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT = 1, 2, 4, 8, 32
MS_BIND, MS_REC, MS_PRIVATE = 0x1000, 0x4000, 0x40000
MNT_DETACH = 2


def call(name: str, *arguments: object) -> int:
    """A system call by name. Integers travel as 64-bit longs; ctypes alone would cut them to 32 bits."""
    return _checked(name, libc.syscall(*map(_long, (syscalls.number(name), *arguments))))


def prctl(option: int, value: int = 0) -> int:
    """prctl(2) with one argument."""
    return _checked(f"prctl({option})", libc.prctl(ctypes.c_int(option), *map(_long, (value, 0, 0, 0))))


def unshare(flags: int) -> None:
    """unshare(2)."""
    _checked("unshare", libc.unshare(ctypes.c_int(flags)))


def setns(descriptor: int, kind: int) -> None:
    """setns(2)."""
    _checked("setns", libc.setns(ctypes.c_int(descriptor), ctypes.c_int(kind)))


def mount(source: str, target: str, kind: str | None, flags: int, data: str | None = None) -> None:
    """mount(2)."""
    texts = [None if text is None else os.fsencode(text) for text in (source, target, kind, data)]
    _checked(f"mount {target}", libc.mount(*texts[:3], ctypes.c_ulong(flags), texts[3]))


def unmount(target: str) -> None:
    """umount2(2), detached: what is still in use goes when it is no longer."""
    _checked(f"unmount {target}", libc.umount2(os.fsencode(target), ctypes.c_int(MNT_DETACH)))


def _long(value: object) -> object:
    return ctypes.c_long(value) if isinstance(value, int) else value


def _checked(what: str, result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result
