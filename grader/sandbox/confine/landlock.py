"""Landlock: the kernel refuses every file but the listed ones, TCP, and signals and abstract sockets to the outside.

Needs no rights, only `no_new_privs`, and binds the calling thread: one more reason to confine while there is only one.
Three system calls (Documentation/userspace-api/landlock.rst); newer kernels know more rights, as the ABI number says.
What it leaves open (stat, chmod, utime, and truncate before ABI 3) is closed by seccomp and the mount namespace.
"""

from __future__ import annotations

import ctypes
import os
import stat
import struct
from collections.abc import Iterable

from . import kernel

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
REMOVE_DIR, REMOVE_FILE, MAKE_DIR, MAKE_REG = 1 << 4, 1 << 5, 1 << 7, 1 << 8
REFER, TRUNCATE, IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
OF_A_FILE = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
READ = READ_FILE | READ_DIR
WRITE = WRITE_FILE | TRUNCATE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG | REFER  # plain files and folders only
FILE_RIGHTS = (0, 13, 14, 15, 15, 16)  # how many file-system rights each ABI knows; later ones added none of them
TCP = SCOPES = 3  # bind and connect; abstract sockets and signals
VERSION = LOG_NOTHING = PATH_BENEATH = 1

Rule = tuple[str, int]


def abi() -> int:
    """The kernel's Landlock ABI; 0 when there is none, or it is switched off."""
    try:
        return kernel.call("landlock_create_ruleset", None, 0, VERSION)
    except OSError:
        return 0


def restrict(rules: Iterable[Rule]) -> None:
    """Deny this thread everything but `rules` (path, rights), for good. A path that is missing is left out.

    Raises:
        OSError: there is no Landlock here.
    """
    version = abi()
    if version == 0:
        raise OSError("the kernel has no Landlock (Linux 5.13, `lsm=landlock,…`)")
    handled = (1 << FILE_RIGHTS[min(version, len(FILE_RIGHTS) - 1)]) - 1
    fields = (handled, TCP, SCOPES)[: 1 + (version >= 4) + (version >= 6)]
    attributes = struct.pack(f"{len(fields)}Q", *fields)
    ruleset = kernel.call("landlock_create_ruleset", ctypes.c_char_p(attributes), len(attributes), 0)
    try:
        for path, rights in rules:
            _allow(ruleset, path, rights & handled)
        # Refusals are the student's affair: they would only flood the machine's audit log (flag since ABI 7).
        kernel.call("landlock_restrict_self", ruleset, LOG_NOTHING if version >= 7 else 0)
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
            rights &= OF_A_FILE
        rule = ctypes.c_char_p(struct.pack("=Qi", rights, descriptor))
        kernel.call("landlock_add_rule", ruleset, PATH_BENEATH, rule, 0)
    finally:
        os.close(descriptor)
