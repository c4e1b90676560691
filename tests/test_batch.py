"""A class at once: every hand-in gets its verdict, whatever the others do, and what is graded is kept."""

import json
import os
import random
import signal
import subprocess
import sys
import time
import zipfile
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager

import msgspec
import pytest

from grader import judges
from grader.batch import Runner, grade_class
from grader.errors import SandboxError
from grader.gradebook import open_gradebook
from grader.intake.classes import read_class
from grader.model.confinement import Confinement
from grader.model.limits import Limits
from grader.workshop import Workshop

COMMAND = [sys.executable, "-m", "grader", "batch"]


@pytest.fixture(scope="module")
def course(residual_course):
    return msgspec.structs.replace(residual_course, limits=Limits(check_seconds=1.0, again_seconds=0.2))


@pytest.fixture(scope="module")
def files(right, wrong, forward):
    """By student what they hand in."""
    return {
        "right": {"residual_add.py": right},
        "wrong": {"residual_add.py": wrong},
        "hangs": {"residual_add.py": forward("while True: pass")},
        "exits": {"residual_add.py": forward("import os; os._exit(1)")},
        "odd": {"essay.pdf": "%PDF-1.7"},
        "again": {"residual_add.py": right},
    }


@pytest.fixture
def pack(tmp_path):
    """Makes a zip as Canvas does, of students' files."""

    def packed(files, name="submissions.zip"):
        path = tmp_path / name
        with zipfile.ZipFile(path, "w") as archive:
            for at, (student, theirs) in enumerate(files.items()):
                for file, text in theirs.items():
                    archive.writestr(f"{student}_{100 + at}_{9000 + at}_{file}", text)
        return path

    return packed


@pytest.fixture(scope="module")
def workshop(course, launch):
    with Workshop(course, launch) as opened:
        yield opened


@contextmanager
def gradebook(path):
    with open_gradebook(path) as book:
        yield book


def grade(path, book, workshop, jobs=2, **options):
    with ThreadPoolExecutor(jobs) as pool:
        runner = Runner(pool, workshop.record, jobs)
        return list(grade_class(read_class(path), workshop.course, book, runner, **options))


def points(book):
    called = {key: known.people[0].name for key, known in book.people().items()}
    return {called.get(one.student, one.student): one.points for one in book.grades()}


def without_timing(record):
    return msgspec.structs.replace(record, timing=None)


def records(book):
    return {one.student: without_timing(one.record) for one in book.grades()}


def test_every_hand_in_gets_its_verdict(files, pack, workshop, tmp_path):
    with gradebook(tmp_path / "gradebook.db") as book:
        done = {one.hand_in.people[0].name: one for one in grade(pack(files), book, workshop)}
        verdicts = {name: one.record.exercises[0].verdict for name, one in done.items()}
        most = done["right"].record.max_points

        assert verdicts.pop("exits") in ("partial", "crashed")
        assert verdicts.pop("hangs") in ("partial", "timed_out")
        assert verdicts == {"right": "passed", "wrong": "partial", "odd": "not_run", "again": "passed"}
        assert {one.points for one in book.grades()} >= {0.0, most}
        assert len(list(book.grades())) == len(files)


def test_what_is_known_is_not_graded_again(files, pack, workshop, tmp_path):
    path = pack({name: files[name] for name in ("right", "wrong")})
    with gradebook(tmp_path / "gradebook.db") as book:
        first = grade(path, book, workshop)
        second = grade(path, book, workshop)
        forced = grade(path, book, workshop, force=True)

    assert [one.known for one in first] == [False, False]
    assert [one.known for one in second] == [True, True]
    assert [one.known for one in forced] == [False, False]
    assert {one.stored.outcome for one in second} == {"unchanged"}


def test_equal_files_of_two_students_are_two_grades(files, pack, workshop, tmp_path):
    with gradebook(tmp_path / "gradebook.db") as book:
        grade(pack({name: files[name] for name in ("right", "again")}), book, workshop)

        assert len({one.student for one in book.grades()}) == 2
        assert len({one.points for one in book.grades()}) == 1


def test_trouble_of_ours_takes_no_grade_and_stops_nobody(files, pack, workshop, tmp_path):
    path = pack({name: files[name] for name in ("right", "wrong")})

    def judged(contents, student, digest):
        if b"self.norm(x)" not in b"".join(contents.files.values()) or student == "never":
            raise SandboxError("no")
        raise MemoryError

    with gradebook(tmp_path / "gradebook.db") as book:
        grade(path, book, workshop)
        before = points(book)
        with ThreadPoolExecutor(1) as pool:
            runner = Runner(pool, judged, 1)
            done = list(grade_class(read_class(path), workshop.course, book, runner, force=True))

        assert [one.record for one in done] == [None, None]
        assert all(one.trouble for one in done)
        assert points(book) == before


def test_only_a_few_are_on_their_way_at_once(pack, workshop, tmp_path):
    path = pack({f"s{n}": {"residual_add.py": f"x = {n}"} for n in range(12)})
    waiting: list[Future] = []
    most = 0

    class Slow:
        """Finishes one as soon as three wait."""

        def submit(self, function, *args):
            nonlocal most
            waiting.append(Future())
            most = max(most, sum(not one.done() for one in waiting))
            if sum(not one.done() for one in waiting) == 3:
                next(one for one in waiting if not one.done()).set_exception(SandboxError("no"))
            return waiting[-1]

    with gradebook(tmp_path / "gradebook.db") as book:
        done = grade_class(read_class(path), workshop.course, book, Runner(Slow(), workshop.record, 3))
        assert len([next(done) for _ in range(10)]) == 10
        done.close()

    assert most == 3
    assert all(one.done() or one.cancelled() for one in waiting)


def test_a_judge_that_died_is_replaced(pack, right, course, launch, monkeypatch):
    judge, calls = judges.judge, []

    def dying(line, job, report):
        calls.append(line)
        if len(calls) == 1:
            raise SandboxError("gone")
        return judge(line, job, report)

    monkeypatch.setattr(judges, "judge", dying)
    path = pack({"right": {"residual_add.py": right}})
    with Workshop(course, launch) as workshop, gradebook(path.with_suffix(".db")) as book:
        (done,) = grade(path, book, workshop)

    assert done.record.points == done.record.max_points
    assert len({id(line) for line in calls}) == 2


def test_practice_results_are_refused_unless_asked_for(pack, right, course, launch, monkeypatch):
    monkeypatch.setattr(Confinement, "level", "practice")
    path = pack({"right": {"residual_add.py": right}})
    with gradebook(path.with_suffix(".db")) as book:
        with Workshop(course, launch) as workshop:
            (refused,) = grade(path, book, workshop)
        with Workshop(course, launch, unconfined=True) as workshop:
            (graded,) = grade(path, book, workshop)

    assert "--unconfined" in refused.trouble
    assert graded.record is not None


# The command ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def many(pack, right, wrong):
    """Twelve students, each with other bytes."""
    return pack({f"s{n}": {"residual_add.py": (right, wrong)[n % 2] + f"# {n}\n"} for n in range(12)})


def run(path, out, course, *options, **how):
    call = [*COMMAND, str(path), "--out", str(out), "--course", course.root, "--no-pages", *options]
    return subprocess.run(call, capture_output=True, text=True, check=False, **how)


def test_the_command_grades_a_class_and_makes_its_pages(files, pack, residual_course, tmp_path):
    path = pack({name: files[name] for name in ("right", "wrong", "odd")})
    call = [*COMMAND, str(path), "--out", str(tmp_path / "out"), "--course", residual_course.root]

    done = subprocess.run(call, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    assert "3 submissions of 3 students: 3 graded, 0 known already." in done.stdout
    assert "right" in (tmp_path / "out" / "class.html").read_text()
    assert len(list((tmp_path / "out" / "students").iterdir())) == 3


def test_killed_at_any_moment_it_goes_on_to_the_same_gradebook(many, residual_course, tmp_path):
    run(many, tmp_path / "whole", residual_course)
    moments = random.Random(7)
    for attempt in range(10):
        call = [*COMMAND, str(many), "--out", str(tmp_path / "cut"), "--course", residual_course.root, "--no-pages"]
        process = subprocess.Popen(call, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            process.wait(moments.uniform(0.2, 4.0 + attempt / 2))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    last = run(many, tmp_path / "cut", residual_course)

    assert last.returncode == 0, last.stderr
    with gradebook(tmp_path / "whole" / "gradebook.db") as whole, gradebook(tmp_path / "cut" / "gradebook.db") as cut:
        assert len(records(whole)) == 12
        assert records(cut) == records(whole)


def test_interrupted_it_keeps_what_is_done_and_says_how_to_go_on(many, residual_course, tmp_path):
    call = [*COMMAND, str(many), "--out", str(tmp_path / "out"), "--course", residual_course.root, "--no-pages"]
    process = subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + 120
    while time.monotonic() < until and not stored(tmp_path / "out" / "gradebook.db"):
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)

    assert process.returncode in (130, 0)
    if process.returncode == 130:
        assert "the same command goes on from there" in told
    assert stored(tmp_path / "out" / "gradebook.db")


def stored(path):
    if not path.is_file():
        return 0
    try:
        with gradebook(path) as book:
            return len(list(book.grades()))
    except Exception:
        return 0


def test_nothing_to_grade_is_a_wrong_call(residual_course, tmp_path):
    (tmp_path / "empty").mkdir()

    done = run(tmp_path / "empty", tmp_path / "out", residual_course)

    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_a_roster_adds_those_who_handed_nothing_in(files, pack, residual_course, tmp_path):
    roster = tmp_path / "class.csv"
    roster.write_text("id,name\n100,Right Person\n555,Nobody Yet\n", encoding="utf-8")

    done = run(pack({"right": files["right"]}), tmp_path / "out", residual_course, "--roster", str(roster))

    assert done.returncode == 0, done.stderr
    with gradebook(tmp_path / "out" / "gradebook.db") as book:
        assert {one.name for known in book.people().values() for one in known.people} >= {"Nobody Yet"}
        assert len(list(book.grades())) == 1


def test_intake_says_what_was_understood(files, pack):
    path = pack(files)

    done = subprocess.run(
        [sys.executable, "-m", "grader", "intake", str(path), "--json"], capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert (seen["layout"], seen["counts"]["students"]) == ("canvas", len(files))
