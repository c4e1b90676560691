"""What a command costs: wall time, and the CPU time of every process that it starts.

The kernel's own sum for a finished child (`os.wait4`, `RUSAGE_CHILDREN`) holds only descendants that somebody waited
for. The grader's do not qualify: judges are reaped by the kernel (their parent ignores SIGCHLD), and the fork server,
the nursery and the workers are killed and leave their times behind unread. So each descendant's CPU clock is read every
few milliseconds while it lives, and its last value counts. What is missed is what a process does after its last
reading: at most PERIOD_SECONDS for each process. `Cost.waited` is the kernel's sum, for comparison: for a command
without such children both agree.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

HEAD = ("what", "wall s", "CPU s", "against its floor", "goal")
ROOT = Path(__file__).resolve().parents[1]
SOLUTIONS = ROOT / "solutions"
PERIOD_SECONDS = 0.003
LIMIT_SECONDS = 120.0
LINGER_SECONDS = 2.0
CPU_CLOCK_OF_PROCESS = 2  # the lowest bits of a clock id: the scheduler's clock, of all threads together


class Cost(NamedTuple):
    """Seconds. `cpu` is user and system time of all processes, `waited` the part that the kernel's own sum holds.

    `peak_mib` is the most memory that the command's own process had resident, without those that it started.
    """

    wall: float
    cpu: float
    waited: float
    processes: int
    peak_mib: float


class Section(NamedTuple):
    """One part of the whole measurement: a table, whether each goal in it was met, and the figures by name."""

    key: str
    title: str
    rows: Sequence[tuple[str, ...]]
    reached: bool
    figures: dict[str, float]
    head: tuple[str, ...] = HEAD
    note: str = ""


class Descendants:
    """The CPU time of a process and of everything that comes from it, as last seen."""

    def __init__(self, pid: int) -> None:
        self.seconds: dict[int, float] = {pid: 0.0}
        self._alive = {pid}

    def look(self) -> bool:
        """Read all clocks, the new processes' too. False when none is left."""
        for pid in list(self._alive):
            self._alive.update(children(pid))
        for pid in list(self._alive):
            try:
                self.seconds[pid] = time.clock_gettime((~pid << 3) | CPU_CLOCK_OF_PROCESS)
            except OSError:
                self._alive.discard(pid)
        return bool(self._alive)


def children(pid: int) -> set[int]:
    """The processes that it started and that still live; none when it is gone."""
    found: set[int] = set()
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            found.update(map(int, Path(f"/proc/{pid}/task/{thread}/children").read_text(encoding="ascii").split()))
    return found


class Patience(NamedTuple):
    """How long a command may take, and how often its processes' clocks are read."""

    limit_seconds: float = LIMIT_SECONDS
    period_seconds: float = PERIOD_SECONDS


OF_A_COMMAND = Patience()
OF_A_CLASS = Patience(3600.0, 0.01)


def cost(command: Sequence[str], codes: Iterable[int] = (0,), patience: Patience = OF_A_COMMAND) -> Cost:
    """Run `command` in the checkout's root, once, and say what it took.

    Raises:
        RuntimeError: it ended with an exit code that is not in `codes`, or took longer than it may.
    """
    begun = time.monotonic()
    peak = 0.0
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as process:
        seen = Descendants(process.pid)
        status = wall = waited = None
        while seen.look() or status is None:
            if status is None:
                peak = max(peak, peak_mib(process.pid))
                pid, ended, usage = os.wait4(process.pid, os.WNOHANG)
                if pid:
                    wall, status, waited = time.monotonic() - begun, ended, usage.ru_utime + usage.ru_stime
            if time.monotonic() - begun > (patience.limit_seconds if wall is None else wall + LINGER_SECONDS):
                process.kill()
                raise RuntimeError(f"{' '.join(command)} did not end, or left processes behind")
            time.sleep(patience.period_seconds)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert wall is not None
    assert waited is not None
    if process.returncode not in codes:
        raise RuntimeError(f"{' '.join(command)} ended with exit code {process.returncode}")
    # The command's own clock is known exactly: never let a missed last reading make the sum smaller than that.
    return Cost(wall, max(sum(seen.seconds.values()), waited), waited, len(seen.seconds), peak)


def peak_mib(pid: int) -> float:
    """The most memory that a process had resident so far; 0 when it is gone."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    return 0.0


def rounds(commands: Mapping[str, Sequence[str]], count: int, codes: Iterable[int] = (0,)) -> dict[str, list[Cost]]:
    """`count` interleaved rounds after one that only warms the disk cache: a busy moment hits all commands alike."""
    taken: dict[str, list[Cost]] = {name: [] for name in commands}
    for turn in range(count + 1):
        for name, command in commands.items():
            measured = cost(command, codes)
            if turn:
                taken[name].append(measured)
    return taken


def median(costs: list[Cost]) -> Cost:
    """The median of each column by itself."""
    return Cost(*(statistics.median(column) for column in zip(*costs, strict=True)))


def python(*arguments: str) -> list[str]:
    """This interpreter."""
    return [sys.executable, *arguments]


def grade(*arguments: str) -> list[str]:
    """The `grade` command that belongs to this interpreter, as a person would call it."""
    return [str(Path(sys.executable).with_name("grade")), *arguments]


def table(rows: Iterable[Sequence[str]], head: Sequence[str] = HEAD) -> str:
    """A Markdown table: the first and the last column are words, those between are numbers."""
    lines = [head, (":--", *("--:" for _ in head[2:]), ":--"), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def kept(goal: str, within: bool) -> str:
    """A cell for the last column."""
    return f"{goal}: {'met' if within else 'NOT met'}"
