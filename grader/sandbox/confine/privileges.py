"""Rights that can only shrink: no new privileges by exec, no attaching from outside, death with the parent."""

from __future__ import annotations

import ctypes
import os
import signal

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS = 1, 4, 38


def die_with_parent() -> None:
    """SIGKILL when the thread that forked this process ends. Not inherited: each process of a chain asks for itself.

    Raises:
        OSError: the kernel refused.
    """
    _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def give_up() -> None:
    """no_new_privs, and not dumpable: neighbours of the same user cannot read or trace this process."""
    _prctl(PR_SET_NO_NEW_PRIVS, 1)
    _prctl(PR_SET_DUMPABLE, 0)


def _prctl(option: int, value: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    zero = ctypes.c_ulong(0)
    if libc.prctl(ctypes.c_int(option), ctypes.c_ulong(value), zero, zero, zero) < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"prctl({option}): {os.strerror(number)}")
