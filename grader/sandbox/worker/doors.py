"""What the system will refuse is refused in words first, where Python can tell what was wanted (audit hooks, PEP 578).

This stops nobody: it is for the honest student, who reads a sentence and not "[Errno 1]". What stops is the filter on
system calls, or nothing on systems without one.
"""

from __future__ import annotations

import os
import sys
import traceback
from typing import Any

REFUSAL = "a submission may not {}"
PROGRAMS = "start other programs or processes"
NETWORK = "use the network or open sockets"
SIGNALS = "send signals to other processes"
DOORS = {
    **dict.fromkeys(("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "pty.spawn"), PROGRAMS),
    **dict.fromkeys(("os.fork", "os.forkpty"), PROGRAMS),
    **dict.fromkeys(("socket.__new__", "socket.getaddrinfo", "socket.gethostbyname", "urllib.Request"), NETWORK),
    **dict.fromkeys(("os.kill", "os.killpg"), SIGNALS),
}
WAYS = {"multiprocessing": PROGRAMS, "asyncio": NETWORK}  # packages that meet a refusal before they come to a door


def close() -> None:
    """Raise PermissionError, an OSError like the system's own, for each of `DOORS` from now on, for good."""
    sys.addaudithook(_refuse)


def _refuse(event: str, arguments: tuple[Any, ...]) -> None:
    if event in DOORS and not (event == "os.kill" and arguments[0] == os.getpid()):
        raise PermissionError(REFUSAL.format(DOORS[event]))


def refusal(error: BaseException) -> str | None:
    """What was wanted, when the system refused it on the way to a door; None otherwise."""
    if not isinstance(error, OSError):
        return None
    names = (frame.f_globals.get("__name__") for frame, _ in traceback.walk_tb(error.__traceback__))
    wanted = (WAYS.get(name.partition(".")[0]) for name in names if isinstance(name, str))
    return next((REFUSAL.format(what) for what in wanted if what), None)
