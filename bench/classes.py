"""A made-up class, zipped as each platform does it, through `grade batch`: every verdict as planned, and at what cost.

`python -m bench.classes [N] [--layout LAYOUT] [--json]` makes N submissions (500): right, wrong, odd, hostile, see
`bench.class_members`; and, where no layout is asked for, a small class in each layout. It ends with 1 when a row is
missing, a verdict is another, or the memory of the command grows with the class. Told are seconds per submission, and
the peak memory of the command beside that for a class of a quarter the size.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from bench.class_downloads import LAYOUTS, number_of, write_class
from bench.class_members import ROOT, SOLUTIONS, Member, members
from grader.gradebook import open_gradebook
from grader.model.record import Record

FIRST, SMALL = "canvas", 25
FEWEST = 2  # the folder of one student alone could as well be one around the class
MOST_GROWTH = 1.25  # of the command's memory, from a quarter of the class to all of it


class Run(NamedTuple):
    """A class that was graded: seconds, peak memory of the command, and what is not as planned."""

    layout: str
    submissions: int
    seconds: float
    peak_mib: float
    differs: tuple[str, ...]


def run(count: int, layout: str) -> Run:
    """Make a class, grade it in a process of its own, compare."""
    everybody = list(members(count))
    with tempfile.TemporaryDirectory() as folder:
        download, out = Path(folder) / "submissions.zip", Path(folder) / "out"
        write_class(download, everybody, layout)
        begun = time.monotonic()
        call = [sys.executable, "-m", "bench.classes", "--child", str(download), str(out)]
        child = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=False)
        seconds = time.monotonic() - begun
        if child.returncode:
            return Run(layout, count, seconds, 0.0, (child.stderr[-2000:] or f"ended with {child.returncode}",))
        with open_gradebook(out / "gradebook.db", create=False) as book:
            found = [(one.student, one.record) for one in book.grades()]
    return Run(layout, count, seconds, float(child.stdout.splitlines()[-1]), tuple(differences(everybody, found)))


def differences(everybody: Sequence[Member], found: Sequence[tuple[str, Record]]) -> Iterator[str]:
    """Rows that are missing or too many, and verdicts that are not as planned."""
    rows = {number_of(key): record for key, record in found}
    if len(found) != len(everybody):
        yield f"{len(everybody)} submissions, {len(found)} rows"
    for one in everybody:
        if one.number in rows:
            yield from one.differs(rows[one.number].exercises)
        else:
            yield f"{one.number} ({one.kind}): no row"


def growth(small: Run, large: Run) -> Iterator[str]:
    """A sentence where the memory of the command follows the size of the class."""
    if small.peak_mib and large.peak_mib > MOST_GROWTH * small.peak_mib:
        yield (
            f"memory grows: {small.peak_mib:.0f} MiB for {small.submissions} submissions, "
            f"{large.peak_mib:.0f} MiB for {large.submissions}"
        )


def child(download: str, out: str) -> int:
    """Grade, then print how much memory this process took (MiB)."""
    from grader.cli import cli

    try:
        cli.main(["batch", download, "--out", out, "--course", str(SOLUTIONS), "--no-pages"], standalone_mode=False)
    except SystemExit as end:
        print(_peak_mib())
        return int(end.code or 0)
    print(_peak_mib())
    return 0


def _peak_mib() -> float:
    """Of this program alone: what `getrusage` tells begins with the most that its parent had."""
    status = Path("/proc/self/status")
    if status.exists() and (told := re.search(r"^VmHWM:\s*(\d+) kB", status.read_text(), re.MULTILINE)):
        return int(told[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> int:
    """Grade a class, one of a quarter the size, and small ones; 1 when something is not as planned."""
    if sys.argv[1:2] == ["--child"]:
        return child(*sys.argv[2:4])
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("count", nargs="?", type=int, default=500)
    parser.add_argument("--layout", choices=LAYOUTS)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    runs = []
    for one in _runs(options.count, options.layout):
        runs.append(one)
        if not options.json:
            each = f"{one.seconds / one.submissions:6.2f} s each"
            print(f"{one.submissions:5} submissions  {each}  {one.peak_mib:6.0f} MiB at most  {one.layout}")
            print(*(f"      {words}\n" for words in one.differs), sep="", end="", flush=True)
    if options.json:
        print(json.dumps([one._asdict() for one in runs], indent=2))
    return int(any(one.differs for one in runs))


def _runs(count: int, layout: str | None) -> Iterator[Run]:
    """A quarter of the class, all of it, and where no layout is asked for a small one in each of the others."""
    first = layout or FIRST
    yield (small := run(max(count // 4, FEWEST), first))
    large = run(max(count, FEWEST), first)
    yield large._replace(differs=(*large.differs, *growth(small, large)))
    for other in LAYOUTS if layout is None else ():
        if other != FIRST:
            yield run(max(count // SMALL, FEWEST), other)


if __name__ == "__main__":
    sys.exit(main())
