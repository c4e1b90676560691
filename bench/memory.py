"""(e) How much memory a class takes: the command's own process by size of the class, and everything that it starts."""

from __future__ import annotations

import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from bench import measure
from bench.measure import Cost, Section
from bench.submissions import DIFFERENT, batch_command, submissions, write

PERIOD_SECONDS = 0.1
GOAL = 1.10
HEAD = ("what", "MiB", "", "against", "goal")
ROLES = {
    "command": "the command's process",
    "server": "the fork server",
    "judge": "one judge, its own pages",
    "worker": "one worker, its own pages",
    "all": "all processes together (PSS)",
}


class Held(NamedTuple):
    """Bytes of one process: resident, its own, and its share of what several have."""

    resident: int
    own: int
    share: int


class Seen(NamedTuple):
    """One process: what it is for, and what it holds."""

    role: str
    held: Held


def held(pid: int) -> Held | None:
    """None where the process is gone, or may not be looked at."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()[1:]
    except OSError:
        return None
    found = {name: int(rest.split()[0]) << 10 for name, _, rest in (line.partition(":") for line in lines)}
    return Held(found["Rss"], found["Private_Clean"] + found["Private_Dirty"], found["Pss"])


def tree(command: int) -> Iterator[Seen]:
    """Every process of a command, by its place: the server is its child; the server's first child is the nursery."""
    yield from _seen("command", [command])
    for server in measure.children(command):
        yield from _seen("server", [server])
        nursery, *judges = sorted(measure.children(server)) or [0]
        yield from _seen("judge", judges)
        yield from _seen("worker", _below(nursery))


def _below(pid: int) -> Iterator[int]:
    """The process and its descendants. The nursery's own pages are few: the largest below it is a worker."""
    if pid:
        yield pid
        for child in measure.children(pid):
            yield from _below(child)


def _seen(role: str, pids: Sequence[int] | Iterator[int]) -> Iterator[Seen]:
    yield from (Seen(role, found) for pid in pids if (found := held(pid)) is not None)


def peaks(command: Sequence[str]) -> dict[str, int]:
    """The largest values, in bytes, of a command's processes by role: all of a process, or only its own pages."""
    most = dict.fromkeys(ROLES, 0)
    with subprocess.Popen(command, cwd=measure.ROOT, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            seen = list(tree(process.pid))
            for role, one in seen:
                own = role in ("judge", "worker")
                most[role] = max(most[role], one.own if own else one.resident)
            most["all"] = max(most["all"], sum(one.held.share for one in seen))
            time.sleep(PERIOD_SECONDS)
    return most


def section(batch: Sequence[dict[int, Cost]]) -> Section:
    """`batch`: what classes of several sizes cost, by rounds."""
    sizes = sorted({size for one in batch for size in one})
    parents = {size: max(one[size].peak_mib for one in batch if size in one) for size in sizes}
    more = parents[sizes[-1]] / parents[sizes[0]]
    rows = [(f"the command's process, a class of {size}", f"{mib:.0f}", "", "", "") for size, mib in parents.items()]
    goal = measure.kept(f"the largest class ≤ {GOAL:g} × the smallest", more <= GOAL)
    rows[-1] = (*rows[-1][:3], f"× {more:.2f}", goal)
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder) / "class", submissions(DIFFERENT))
        most = peaks(batch_command(Path(folder) / "class", Path(folder) / "out"))
    rows += [(f"{words}, a class of {DIFFERENT}", f"{most[role] / 2**20:.0f}", "", "", "")
             for role, words in ROLES.items() if role != "command"]  # fmt: skip
    figures = {"parent": more} | {role: value / 2**20 for role, value in most.items()}
    note = "The most that was seen, in MiB; as many judges and workers at a time as there are cores."
    return Section("e", "Memory", rows, more <= GOAL, figures, HEAD, note)
