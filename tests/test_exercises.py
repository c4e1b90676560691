"""What judges is judged: the solutions earn all points, the stubs none, each known mistake is caught and named.

The first line of a mistake says how: `# tag: missing-skip | formula: F(Norm(x))`. The first diagnosis must carry that
tag and, where one is named, the formula. Rewrites are correct solutions written differently: full marks, always.
"""

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

import pytest

from grader.intake import accept
from grader.model.course import load_course
from grader.model.job import Job
from grader.pipeline import JUDGE, judge, to_record
from grader.sandbox.launch import launcher

ROOT = Path(__file__).parents[1]
COURSE = load_course(ROOT / "solutions")
MISTAKES = sorted((ROOT / "solutions").glob("*/mistakes/*.py"))
REWRITES = sorted((ROOT / "solutions").glob("*/rewrites/*.py"))
HEADER = re.compile(r"# tag: (?P<tag>[\w-]+)(?: \| formula: (?P<formula>.+))?")


def label(path):
    return f"{path.parents[1].name}/{path.stem}"


@pytest.fixture(scope="module")
def records():
    """Every mistake and rewrite, graded by two judges side by side: path → record."""
    lines = SimpleQueue()
    with launcher() as started, started.judge(JUDGE) as first, started.judge(JUDGE) as second:
        for line in (first, second):
            lines.put(line)

        def grade(path):
            line = lines.get()
            try:
                submission = accept(path, COURSE, only=(path.parents[1].name,))
                finished = judge(line, Job(COURSE, submission), lambda _: None)
            finally:
                lines.put(line)
            return to_record(COURSE, submission, finished)

        with ThreadPoolExecutor(2) as pool:
            paths = [*MISTAKES, *REWRITES]
            yield dict(zip(paths, pool.map(grade, paths), strict=True))


@pytest.mark.parametrize("path", MISTAKES, ids=label)
def test_a_mistake_is_caught_and_named(records, path):
    wanted = HEADER.match(path.read_text(encoding="utf-8"))
    (exercise,) = records[path].exercises
    assert wanted, "the first line says which tag it must get"
    assert exercise.points < exercise.max_points
    assert exercise.diagnosis.tag == wanted["tag"], exercise.diagnosis
    if wanted["formula"]:
        assert exercise.diagnosis.formula.found == wanted["formula"]


@pytest.mark.parametrize("path", MISTAKES, ids=label)
def test_a_mistake_is_never_our_fault(records, path):
    (exercise,) = records[path].exercises
    assert [check.name for check in exercise.checks if check.verdict == "grader_error"] == []


@pytest.mark.parametrize("path", REWRITES, ids=label)
def test_a_rewrite_earns_full_marks(records, path):
    (exercise,) = records[path].exercises
    assert [(check.name, check.happened) for check in exercise.checks if check.verdict != "passed"] == []


@pytest.mark.parametrize("exercise", COURSE.exercises, ids=lambda exercise: exercise.name)
def test_every_check_is_failed_by_some_mistake(records, exercise):
    failed = set()
    for path in MISTAKES:
        if path.parents[1].name == exercise.name:
            failed |= {check.name for check in records[path].exercises[0].checks if check.verdict != "passed"}
    (example,) = records[next(path for path in REWRITES if path.parents[1].name == exercise.name)].exercises
    assert {check.name for check in example.checks} - failed == set()
