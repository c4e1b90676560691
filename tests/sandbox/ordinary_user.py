"""Commands that run as somebody else than root, who can read the interpreter and the checkout wherever they lie."""

import os
import shlex
import stat
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
NOBODY = 65534


def closed_above(path: Path) -> Path | None:
    """The outermost folder above `path` that others may not enter."""
    return next((p for p in reversed(path.parents) if not p.stat().st_mode & stat.S_IXOTH), None)


def opened(paths: list[Path], stash: Path) -> list[str]:
    """Commands that put `paths` into an otherwise empty copy of the closed folders above them, for one namespace."""
    closed = {path: above for path in paths if (above := closed_above(path)) is not None}
    commands = []
    for number, path in enumerate(closed):
        (stash / str(number)).mkdir(exist_ok=True)
        commands.append(f"mount --bind {shlex.quote(str(path))} {stash}/{number}")
    commands += [f"mount -t tmpfs -o mode=755 closed {shlex.quote(str(above))}" for above in set(closed.values())]
    for number, path in enumerate(closed):
        commands.append(f"mkdir -p {shlex.quote(str(path))} && mount --move {stash}/{number} {shlex.quote(str(path))}")
    return commands


def readable_by_all(command: list[str], stash: Path) -> list[str]:
    """The command, where every user may read the interpreter and the checkout. Needs root if that is not so anyway."""
    needed = [Path(sys.base_prefix), Path(sys.prefix), ROOT]
    needed = [path for path in needed if not any(other in path.parents for other in needed)]
    commands = opened(needed, stash)
    if not commands:
        return command
    script = "\n".join(["set -e", *commands, f"exec {shlex.join(command)}"])
    return ["unshare", "--mount", "--propagation", "private", "sh", "-c", script]


def as_nobody(command: list[str]) -> list[str]:
    """The command as a user who owns nothing. Needs root."""
    return ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--inh-caps=-all", *command]


def environment(home: Path) -> dict[str, str]:
    """A plain environment whose home and temporary folder is `home`."""
    return {"PATH": os.defpath, "HOME": str(home), "TMPDIR": str(home)}
