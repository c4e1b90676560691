"""One sample per way to fail (tests/samples/verdicts): its verdict, its sentence, what it costs, and never our fault.

The first line of a sample says what is right: `# verdict: … | costs: … | says: …`, with `costs` as `none`, `all`,
`all but a, b` or `a, b`. `file` is the name it is handed in by, `memory_mib` what it may use (128). `known costs`,
`known says` and `known fault` name a defect that is not mended yet; the test of that part must then fail.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from queue import Queue

import pytest

from grader.model.record import ExerciseRecord, Record
from grader.pipeline import JUDGE

SAMPLES = Path(__file__).parents[1] / "samples" / "verdicts"
NAMES = sorted(path.stem for path in SAMPLES.glob("*.py"))
# A sample that hangs does so on a shorter clock. All others have the usual one, so that a busy machine fails none.
HANGING = {"load_seconds": 0.4, "check_seconds": 0.4, "again_seconds": 0.05}
JUDGES = 2


@cache
def header(name: str) -> dict[str, str]:
    first = (SAMPLES / f"{name}.py").read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
    return {key.strip(): value.strip() for key, _, value in (part.partition(":") for part in first.split(" | "))}


def samples(part: str) -> list[object]:
    marks = {name: header(name).get(f"known {part}") for name in NAMES}
    return [
        pytest.param(name, marks=pytest.mark.xfail(strict=True, reason=reason) if reason else ())
        for name, reason in marks.items()
    ]


@pytest.fixture(scope="module")
def records(request, launch, grade_on) -> Iterator[Callable[[str], Record]]:
    """The record of a sample. All that the selected tests need are graded at once, by two judges."""
    with ExitStack() as stack:
        free: Queue[Callable[..., Record]] = Queue()
        for _ in range(JUDGES):
            free.put(grade_on(stack.enter_context(launch.judge(JUDGE))))

        def graded(name: str) -> Record:
            grade = free.get()
            try:
                hangs = header(name)["verdict"] == "timed_out"
                files = {header(name).get("file", "residual_add.py"): (SAMPLES / f"{name}.py").read_bytes()}
                memory_mib = int(header(name).get("memory_mib", "128"))
                return grade(files, memory_mib=memory_mib, **(HANGING if hangs else {}))
            finally:
                free.put(grade)

        pool = stack.enter_context(ThreadPoolExecutor(JUDGES))
        here = [item for item in request.session.items if item.path == request.path]
        futures = {name: pool.submit(graded, name) for name in dict.fromkeys(i.callspec.params["name"] for i in here)}
        yield lambda name: futures[name].result()


def lost(exercise: ExerciseRecord) -> set[str]:
    return {check.name for check in exercise.checks if check.points < check.max_points}


def costs(name: str, exercise: ExerciseRecord) -> set[str]:
    every, words = {check.name for check in exercise.checks}, header(name)["costs"]
    if words in ("none", "all"):
        return every if words == "all" else set()
    named = {check.strip() for check in words.removeprefix("all but ").split(",")}
    assert named <= every
    return every - named if words.startswith("all but ") else named


@pytest.mark.parametrize("name", NAMES)
def test_verdict_of_the_first_lost_check_is_the_right_one(name, records):
    exercise = records(name).exercises[0]

    first = next((check.verdict for check in exercise.checks if check.verdict != "passed"), "passed")

    assert first == header(name)["verdict"]


@pytest.mark.parametrize("name", samples("says"))
def test_the_student_reads_its_own_sentence(name, records):
    exercise = records(name).exercises[0]

    sentences = [exercise.diagnosis.happened] if exercise.diagnosis else exercise.remarks

    assert header(name)["says"] in " ".join(sentences)


@pytest.mark.parametrize("name", samples("costs"))
def test_it_costs_the_checks_it_hits(name, records):
    exercise = records(name).exercises[0]

    assert lost(exercise) == costs(name, exercise)


@pytest.mark.parametrize("name", samples("fault"))
def test_nothing_is_our_fault(name, records):
    record = records(name)

    assert record.staff["notes"] == {}
    assert {check.verdict for check in record.exercises[0].checks}.isdisjoint({"grader_error"})


@pytest.mark.parametrize("name", [name for name in NAMES if header(name)["costs"] != "none"])
def test_there_is_a_next_step(name, records):
    diagnosis = records(name).exercises[0].diagnosis

    assert diagnosis.expected
    assert diagnosis.next_step


@pytest.mark.parametrize("name", NAMES)
def test_what_was_printed_is_kept_within_bounds(name, records):
    printed = records(name).exercises[0].printed

    assert len(printed.head) <= 4000
    assert len(printed.tail) <= 4000
