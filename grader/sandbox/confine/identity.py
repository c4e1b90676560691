"""Who a worker is: nobody in particular, with no right beyond that.

Started as root, it becomes a user who owns nothing. A uid of its own also keeps two workers from each other, and makes
the limit on processes count for one worker alone.
"""

from __future__ import annotations

import ctypes
import os
import secrets
import struct
from collections.abc import Sequence

from . import kernel

UNUSED = range(61_184, 65_520)  # systemd's "dynamic users", which no list of users may use (UIDS-GIDS.md)
PR_CAPBSET_DROP = 24
CAPABILITIES = 64  # more than there are; the kernel says where they end
VERSION_3 = 0x20080522


def unused(count: int) -> range:
    """`count` uids of nobody, other ones in each run."""
    start = UNUSED.start + secrets.randbelow(len(UNUSED) - count)
    return range(start, start + count)


def become(user: int) -> None:
    """Be `user`, whose group has the same number, for good.

    Raises:
        OSError: not allowed here.
    """
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def can_read(paths: Sequence[str]) -> None:
    """Raises OSError for a path that this user cannot read, such as a Python that lies in somebody's closed home."""
    for path in paths:
        if not os.access(path, os.R_OK):
            raise OSError(f"only another user may read {path}")


def drop_capabilities() -> None:
    """Empty every set: permitted, effective and inheritable, and the bounding set where that is allowed.

    Raises:
        OSError: the kernel refused.
    """
    for capability in range(CAPABILITIES):
        try:
            kernel.prctl(PR_CAPBSET_DROP, capability)
        except OSError:  # past the last one, or without the right to
            break
    header = ctypes.c_char_p(struct.pack("Ii", VERSION_3, 0))
    kernel.call("capset", header, ctypes.c_char_p(bytes(24)))
