"""(g) How large pages and records are, and how long they take to make: for one student, and for a class of 500."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec

from bench import measure
from bench.measure import OF_A_CLASS, SOLUTIONS, Section, cost
from bench.submissions import DIFFERENT, submissions, write
from grader.intake import accept
from grader.judges import judge_all
from grader.model.course import load_course
from grader.model.job import Job
from grader.model.record import Record, for_student, to_json
from grader.pipeline import to_record
from grader.sandbox.launch import launcher
from reports.html import student_page

CLASS = 500
QUICK_GRADED = 4
HEAD = ("what", "KiB", "ms", "", "")


def records(count: int) -> list[Record]:
    """What so many different submissions get."""
    course = load_course(SOLUTIONS)
    with tempfile.TemporaryDirectory() as folder, launcher() as started:
        handed_in = [accept(path, course) for path in write(Path(folder) / "class", submissions(count))]
        finished = list(judge_all((Job(course, one) for one in handed_in), started))
    return [to_record(course, one, found) for one, found in zip(handed_in, finished, strict=True)]


def a_class(graded: Sequence[Record], folder: Path) -> None:
    """A folder of CLASS records: those that were graded, of one student after the other."""
    for number in range(CLASS):
        one = graded[number % len(graded)]
        digest = f"sha256:{number:064x}"
        submission = msgspec.structs.replace(one.submission, student=f"student{number:04}", digest=digest)
        (folder / f"{number:04}.json").write_bytes(to_json(msgspec.structs.replace(one, submission=submission)))


def section(*, quick: bool) -> Section:
    """Grade a few, make the pages."""
    graded = records(QUICK_GRADED if quick else DIFFERENT)
    plain = [msgspec.to_builtins(for_student(one)) for one in graded]
    student_page(plain[0])  # templates are read once
    sizes, seconds = [], []
    for one in plain:
        begun = time.perf_counter()
        sizes.append(len(student_page(one).encode()))
        seconds.append(time.perf_counter() - begun)
    stored = statistics.median(len(to_json(one)) for one in graded)
    size, taken = statistics.median(sizes), statistics.median(seconds)
    with tempfile.TemporaryDirectory() as folder:
        there, out = Path(folder) / "records", Path(folder) / "out"
        there.mkdir()
        a_class(graded, there)
        report = measure.grade("report", str(there), "--out", str(out), "--course", str(SOLUTIONS))
        whole = cost(report, (0, 1), OF_A_CLASS)
        page = (out / "class.html").stat().st_size
        pages = sum(path.stat().st_size for path in (out / "students").glob("*.html"))
    rows = [
        ("a record, `grade.json`", _kib(stored), "", "", ""),
        ("a student's page", _kib(size), f"{taken * 1000:.1f}", "", ""),
        (f"the page of a class of {CLASS}", _kib(page), "", "", ""),
        (f"`grade report` for {CLASS}: that page and {CLASS} students' pages", _kib(page + pages),
         f"{whole.wall * 1000:.0f}", f"{whole.wall / CLASS * 1000:.1f} ms a student, {whole.peak_mib:.0f} MiB", ""),
    ]  # fmt: skip
    figures = {"record": stored, "page": size, "page ms": taken * 1000, "class page": page, "class s": whole.wall}
    return Section("g", "Pages and records", rows, True, figures, HEAD)


def _kib(size: float) -> str:
    return f"{size / 1024:.0f}"
