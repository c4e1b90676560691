"""Many submissions in a row through one process: does anything grow that should not?

`python -m bench.stability [N] [--json]` (2,000). Counted are descriptors, zombies and temporary files, which must never
be more than at the start; memory, which may settle, is told as what each thousand submissions add.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count, islice
from pathlib import Path
from typing import NamedTuple
from unittest import mock

from bench import measure
from bench.measure import SOLUTIONS, kept, table
from bench.memory import held
from bench.submissions import submissions
from grader.intake.contents import Contents
from grader.judges import usable_cores
from grader.model.course import load_course
from grader.workshop import Workshop

SUBMISSIONS, LOOKS = 2000, 20
WARM_UP = 2  # submissions of each judge before the first look
SETTLE_SECONDS = 5.0
GOAL_MIB = 5.0  # of this process's own pages, for each thousand submissions
HEAD = (
    "submissions",
    "MiB, its own",
    "MiB of the servers",
    "descriptors",
    "theirs",
    "processes",
    "zombies",
    "files",
    "",
)


class State(NamedTuple):
    """This process, and those it started that stay: the fork server and the nursery, its oldest child."""

    submissions: int
    own_mib: float
    servers_mib: float
    descriptors: int
    server_descriptors: int
    processes: int
    zombies: int
    files: int

    @property
    def counts(self) -> tuple[int, ...]:
        """What must not change at all while nothing is graded."""
        return (self.descriptors, self.server_descriptors, self.processes, self.zombies, self.files)


def state(done: int) -> State:
    """Now, between two submissions. Judges come and go, so their memory is not looked at."""
    below = list(_below(os.getpid()))
    servers = measure.children(os.getpid())
    staying = [*servers, *(min(measure.children(pid), key=started, default=0) for pid in servers)]
    return State(
        done,
        _own_mib(os.getpid()),
        sum(map(_own_mib, staying)),
        _descriptors(os.getpid()),
        sum(map(_descriptors, staying)),
        len(below),
        sum(_is_zombie(pid) for pid in below),
        sum(1 for _ in Path(tempfile.gettempdir()).rglob("*")),
    )


def _below(pid: int) -> Iterator[int]:
    for child in measure.children(pid):
        yield child
        yield from _below(child)


def _own_mib(pid: int) -> float:
    found = held(pid)
    return found.own / 2**20 if found else 0.0


def _descriptors(pid: int) -> int:
    try:
        return len(os.listdir(f"/proc/{pid}/fd"))
    except OSError:
        return 0


def _is_zombie(pid: int) -> bool:
    return _status(pid)[:1] == ["Z"]


def started(pid: int) -> int:
    """In ticks since the machine started. The numbers of processes begin anew after some ten thousand."""
    fields = _status(pid)
    return int(fields[19]) if fields else sys.maxsize


def _status(pid: int) -> list[str]:
    """The fields of proc(5)'s stat from the third on; none where the process is gone."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return text.rpartition(")")[2].split()


@contextmanager
def own_temporary_folder() -> Iterator[Path]:
    """In the block, this process and those that it starts have a temporary folder that nobody else writes to."""
    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch.dict(os.environ, TMPDIR=folder),
        mock.patch.object(tempfile, "tempdir", folder),
    ):
        yield Path(folder)


@contextmanager
def grading(at_once: int) -> Iterator[Callable[[int], None]]:
    """Gives a function that grades so many submissions more in one workshop, each of them another one."""
    with own_temporary_folder(), Workshop(load_course(SOLUTIONS)) as workshop, ThreadPoolExecutor(at_once) as pool:
        number = count()

        def one(turn: int) -> None:
            (files,) = submissions(1, turn)
            record = workshop.record(Contents({name: source.encode() for name, source in files.items()}), str(turn))
            if not record.exercises:
                raise RuntimeError(f"submission {turn} has a record without exercises")

        def grade(many: int) -> None:
            for _ in pool.map(one, list(islice(number, many))):
                pass

        yield grade


def settled(done: int, before: State | None) -> State:
    """As soon as the counts are those of `before`, which a judge that is just ending may delay; else after a while."""
    found = state(done)
    deadline = time.monotonic() + SETTLE_SECONDS
    while before is not None and found.counts != before.counts and time.monotonic() < deadline:
        time.sleep(0.05)
        found = state(done)
    return found


def states(many: int, looks: int, at_once: int) -> Iterator[State]:
    """At the start, when everything that stays has been started, and each time a share of the submissions is done."""
    with grading(at_once) as grade:
        grade(WARM_UP * at_once)
        first = settled(0, None)
        yield first
        done = 0
        for turn in range(1, looks + 1):
            share = many * turn // looks - done
            grade(share)
            done += share
            yield settled(done, first)


def more(seen: Sequence[State]) -> bool:
    """Whether there ever was more of anything than at the start. A judge that has just ended makes it less."""
    return any(now > then for one in seen for now, then in zip(one.counts, seen[0].counts, strict=True))


def growth(seen: Sequence[State]) -> tuple[float, float]:
    """MiB that a thousand submissions add to this process and to the servers: the slope over the second half."""
    half = seen[len(seen) // 2 :]
    thousands = (half[-1].submissions - half[0].submissions) / 1000
    own, servers = half[-1].own_mib - half[0].own_mib, half[-1].servers_mib - half[0].servers_mib
    return own / thousands, servers / thousands


def row(one: State) -> tuple[str, ...]:
    """A line of the table."""
    return (str(one.submissions), f"{one.own_mib:.1f}", f"{one.servers_mib:.1f}", *map(str, one.counts), "")


def main(arguments: argparse.Namespace) -> int:
    """Grade, look, print, and say whether nothing grew."""
    begun, seen = time.monotonic(), []
    for one in states(arguments.count, LOOKS, usable_cores()):
        print(f"{one.submissions} of {arguments.count} are graded, {time.monotonic() - begun:.0f} s", file=sys.stderr)
        seen.append(one)
    own, servers = growth(seen)
    kept_few = not more(seen)
    if arguments.json:
        print(json.dumps({"states": [one._asdict() for one in seen], "own": own, "servers": servers}, indent=1))
    else:
        print(table(map(row, seen), HEAD))
        print(f"\n{kept('Descriptors, processes, zombies and files are never more than at the start', kept_few)}")
        goal = f"≤ {GOAL_MIB:g} MiB in a thousand submissions"
        print(
            f"Memory grows by {own:.1f} MiB here, {servers:.1f} MiB there: {kept(goal, max(own, servers) <= GOAL_MIB)}"
        )
    return int(not kept_few or max(own, servers) > GOAL_MIB)


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(prog="python -m bench.stability", description=(__doc__ or "").splitlines()[0])
    made.add_argument("count", nargs="?", type=int, default=SUBMISSIONS, metavar="N", help="how many (default: 2000)")
    made.add_argument("--json", action="store_true", help="print everything as JSON and nothing else")
    return made


if __name__ == "__main__":
    sys.exit(main(parser().parse_args()))
