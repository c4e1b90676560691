"""Rights that can only shrink, and who goes first: no new privileges, no attaching, death with the parent, killed first
when memory runs out."""

from __future__ import annotations

import os
import signal

from . import kernel

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 1, 4, 36, 38
FIRST_TO_GO = b"1000"


def die_with_parent() -> None:
    """SIGKILL when the thread that forked this process ends. Not inherited, and forgotten when the user changes."""
    kernel.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def no_new_privileges() -> None:
    """A setuid program gives nothing; Landlock and seccomp ask for it."""
    kernel.prctl(PR_SET_NO_NEW_PRIVS, 1)


def not_dumpable() -> None:
    """Neighbours of the same user cannot read or trace this process."""
    kernel.prctl(PR_SET_DUMPABLE, 0)


def adopt_orphans() -> None:
    """What a dead child leaves running becomes a child of this process, not of init."""
    kernel.prctl(PR_SET_CHILD_SUBREAPER, 1)


def go_first(proc: int) -> None:
    """If the machine runs out of memory all the same, the kernel takes this process and not the grader."""
    descriptor = os.open("self/oom_score_adj", os.O_WRONLY, dir_fd=proc)
    os.write(descriptor, FIRST_TO_GO)
    os.close(descriptor)
