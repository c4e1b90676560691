"""How long a search for alike submissions takes, and how much memory: `python -m bench.alike [STUDENTS]`.

Each student hands in one solution of every exercise, drawn from the right and wrong files of this repository, so that
each file is handed in by several: more pairs, and more in each, than a real class has.
"""

from __future__ import annotations

import random
import resource
import sys
import time
from collections.abc import Iterator

from bench.submissions import known
from grader.alike import alike, starter_code
from grader.model.course import Course, find_course
from grader.model.submission import Cell, SourceFile, Submission


def main(students: int) -> None:
    """Make a class, search it, and say what it took."""
    course = find_course(None, None)
    handed_in = list(made_class(course, students))
    before = _peak_mib()
    begun = time.perf_counter()
    found = alike(handed_in, starter_code(course))
    seconds = time.perf_counter() - begun
    lines = sum(cell.source.count("\n") for _, one in handed_in for file in one.files for cell in file.cells)
    print(f"{students} submissions of {len(course.exercises)} files, {lines:,} lines")
    print(f"{seconds:.1f} s, {_peak_mib() - before:.0f} MiB more; {len(found.pairs) + found.pairs_left_out:,} pairs")


def made_class(course: Course, students: int) -> Iterator[tuple[str, Submission]]:
    """Submissions drawn at random; the same ones each time."""
    draw = random.Random(0)
    known = {
        one.name: [path for are_right in (True, False) for path in known(one.name, are_right=are_right)]
        for one in course.exercises
    }
    for number in range(students):
        files = tuple(
            SourceFile(f"{name}.py", "py", "", (Cell(None, draw.choice(paths).read_text(encoding="utf-8")),))
            for name, paths in known.items()
        )
        yield f"student {number:04}", Submission("", "", (), files)


def _peak_mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500)
