"""The gradebook: what is stored is whole, a failure of ours takes no grade's place, and grades follow the raw facts."""

import math
import os
import random
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest
from gradebook_child import numbered, sample
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import GradebookError, UsageError
from grader.gradebook import file as gradebook_file
from grader.gradebook import open_gradebook
from grader.model.deadline import Arrival, Deadline
from grader.model.grades import Attempt
from grader.model.override import Override, with_overrides
from grader.model.record import ByHand

CHILD = Path(__file__).with_name("gradebook_child.py")
AT = datetime(2026, 10, 4, 22, tzinfo=UTC)
DEADLINE = Deadline(AT, "UTC", percent_per_day=10.0)
HOUR = timedelta(hours=1)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "gradebook.db"


@pytest.fixture
def book(path):
    with open_gradebook(path, by="teacher") as opened:
        yield opened


def attempt(number=None, at=None, student="ada", late=None):
    return Attempt(Arrival(student, at, late), number)


def with_verdict(record, check, verdict, points=0.0):
    """The same record, in which one check of the only exercise ended otherwise."""
    (exercise,) = record.exercises
    changed = [
        msgspec.structs.replace(one, verdict=verdict, points=points) if one.name == check else one
        for one in exercise.checks
    ]
    total = sum(one.points for one in changed)
    exercises = (msgspec.structs.replace(exercise, checks=tuple(changed), points=total),)
    return msgspec.structs.replace(record, exercises=exercises, points=total)


def only(book, **asked):
    (grade,) = book.grades(**asked)
    return grade


def override(points, check="adds_the_input_back", student="ada", reason="seen in class"):
    return Override(student, "residual_add", check, points, reason, "Grace")


def rows(path, query):
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchall()


def test_a_stored_submission_is_read_back_as_it_was(path):
    record = sample(student="Ada", attempt=7)
    with open_gradebook(path) as book:
        stored = book.store(attempt(), record)
    with open_gradebook(path, create=False) as book:
        (graded,) = book.history("ada").attempts

    assert (stored.number, stored.outcome) == (1, "new")
    assert graded.record == msgspec.structs.replace(
        record, submission=msgspec.structs.replace(record.submission, attempt=1)
    )


def test_what_is_known_names_no_student(book):
    record = sample(student="Ada")
    book.store(attempt(), record)

    known = book.known(record.submission.digest, record.course.digest)

    assert (known.exercises, known.submission.student, known.submission.skipped) == (record.exercises, "", ())
    assert book.known(record.submission.digest, "sha256:another course") is None


def test_the_same_files_of_two_students_are_one_record_and_two_attempts(book, path):
    for student in ("ada", "bob"):
        book.store(attempt(student=student), sample(student=student, files="alike"))

    assert [grade.record.submission.student for grade in book.grades()] == ["ada", "bob"]
    assert rows(path, "SELECT count(*) FROM records") == [(1,)]


def test_storing_again_changes_nothing(book, path):
    book.store(attempt(), sample())
    before = rows(path, "SELECT * FROM records, attempts, audit")

    again = msgspec.structs.replace(sample(), timing=msgspec.structs.replace(sample().timing, started="later"))

    assert book.store(attempt(), again).outcome == "unchanged"
    assert rows(path, "SELECT * FROM records, attempts, audit") == before


def test_graded_again_it_is_replaced(book):
    book.store(attempt(), sample())

    assert book.store(attempt(), with_verdict(sample(), "adds_the_input_back", "passed", 3.0)).outcome == "changed"
    assert only(book).points == 9.0


def test_a_failure_of_ours_never_replaces_a_grade(book):
    book.store(attempt(), sample())

    stored = book.store(attempt(), with_verdict(sample(), "keeps_the_shape", "grader_error"))

    assert stored.outcome == "kept"
    assert only(book).points == 6.0


def test_a_failure_of_ours_by_changed_checks_never_replaces_a_grade(book):
    book.store(attempt(), sample())
    failed = with_verdict(sample(course="sha256:changed"), "keeps_the_shape", "grader_error")

    assert book.store(attempt(), failed).outcome == "kept"
    assert (only(book).points, only(book).record.course.digest) == (6.0, "sha256:course")


def test_a_failure_of_ours_is_owed_and_a_grade_takes_its_place(book):
    failed = with_verdict(sample(), "keeps_the_shape", "grader_error")
    book.store(attempt(), failed)

    assert book.known(failed.submission.digest, failed.course.digest) is None
    assert book.store(attempt(), sample()).outcome == "changed"
    assert only(book).points == 6.0


def test_an_attempt_that_failed_through_us_does_not_count_before_a_whole_one(book):
    book.store(attempt(1), sample())
    book.store(attempt(2), with_verdict(sample(files="second"), "keeps_the_shape", "grader_error"))

    assert (only(book).number, only(book).passed_over) == (1, (2,))


def test_a_part_of_the_exercises_never_replaces_all(book):
    whole = sample("second_attempt")
    book.store(attempt(), whole)

    assert book.store(attempt(), msgspec.structs.replace(whole, exercises=whole.exercises[:1])).outcome == "kept"


def test_a_load_that_succeeds_when_graded_again_takes_its_place(book):
    book.store(attempt(), sample("not_loadable", files="same"))

    assert book.store(attempt(), sample(files="same")).outcome == "changed"


def test_changed_checks_count_once_stored_and_the_old_record_stays(book, path):
    book.store(attempt(), sample(files="same"))
    book.store(attempt(), sample("full_marks", course="sha256:changed", files="same"))

    assert only(book).points == 10.0
    assert rows(path, "SELECT count(*) FROM records") == [(2,)]


def test_other_files_under_a_taken_number_are_the_next_attempt(book):
    numbers = [book.store(attempt(1), sample(files=name)).number for name in ("first", "second", "first", "second")]

    assert numbers == [1, 2, 1, 2]


def test_numbers_of_one_download_are_kept_though_files_come_again(book):
    for _ in range(2):
        assert [book.store(attempt(n), sample(files=name)).number for n, name in [(3, "a"), (1, "a"), (2, "b")]] == [
            3,
            1,
            2,
        ]


def test_the_only_attempt_of_a_download_is_the_newest_so_far(book):
    numbers = [book.store(attempt(), sample(files=name)).number for name in ("first", "second", "second", "first")]

    assert numbers == [1, 2, 2, 3]


def test_files_and_time_tell_an_attempt(book):
    times = [AT, AT + HOUR, AT, AT + 2 * HOUR]

    assert [book.store(attempt(1, at), sample()).number for at in times] == [1, 2, 1, 3]


def test_what_is_not_told_again_stays_known(book):
    book.store(attempt(late=True), sample())

    assert book.store(attempt(at=AT), sample()).outcome == "changed"
    assert book.history("ada").attempts[0].arrival == Arrival("ada", AT, late=True)


def test_attempts_are_in_the_order_of_their_times_and_know_the_one_before(book):
    for number, hours in [(1, 3), (2, 1), (3, 2)]:
        book.store(attempt(number, AT + hours * HOUR), sample(files=number))

    attempts = book.history("ada").attempts

    assert [one.number for one in attempts] == [2, 3, 1]
    assert [one.record.submission.previous and one.record.submission.previous.attempt for one in attempts] == [
        None,
        2,
        3,
    ]


@pytest.mark.parametrize(("counting", "number", "points"), [("on_time", 2, 6.0), ("last", 4, 4.8), ("best", 3, 9.0)])
def test_which_attempt_counts(book, counting, number, points):
    book.store(attempt(1, AT - 2 * HOUR), sample(files=1))
    book.store(attempt(2, AT - HOUR), sample(files=2))
    book.store(attempt(3, AT + HOUR), sample("full_marks", files=3))
    book.store(attempt(4, AT + 25 * HOUR), sample(files=4))

    grade = only(book, deadline=DEADLINE, counting=counting)

    assert (grade.number, grade.points, grade.attempts) == (number, points, 4)


def test_all_attempts_can_be_had(book):
    for number in (1, 2):
        book.store(attempt(number), sample(files=number))

    assert [grade.number for grade in book.grades(counting="all")] == [1, 2]


def test_of_late_attempts_alone_the_newest_counts(book):
    for number in (1, 2):
        book.store(attempt(number, AT + number * HOUR), sample(files=number))

    assert only(book, deadline=DEADLINE).number == 2


def test_a_deadline_that_is_given_later_needs_no_grading(book):
    book.store(attempt(at=AT + HOUR), sample())

    assert (only(book).points, only(book, deadline=DEADLINE).points) == (6.0, 5.4)


def test_an_override_replaces_points_and_the_record_says_why(book):
    book.store(attempt(), sample())
    book.override(override(3.0))

    grade = only(book)
    (exercise,) = grade.record.exercises
    check = next(one for one in exercise.checks if one.name == "adds_the_input_back")

    assert (grade.points, grade.record.points, exercise.points, exercise.diagnosis) == (9.0, 9.0, 9.0, None)
    assert (check.verdict, check.points) == ("passed", 3.0)
    assert check.by_hand == ByHand(0.0, "seen in class", "Grace")
    assert [(one.before, one.after, one.override.by) for one in grade.overrides] == [(0.0, 3.0, "Grace")]


def test_overrides_come_before_lateness(book):
    book.store(attempt(at=AT + HOUR), sample())
    book.override(override(3.0))

    assert only(book, deadline=DEADLINE).points == 8.1


@pytest.mark.parametrize(("given", "counted"), [(99.0, 9.0), (-5.0, 6.0), (1.5, 7.5)])
def test_an_override_stays_between_nothing_and_what_the_check_is_worth(book, given, counted):
    book.store(attempt(), sample())
    book.override(override(given))

    assert only(book).points == counted


def test_the_last_override_counts_and_none_takes_it_back(book):
    book.store(attempt(), sample())
    for points, total in [(3.0, 9.0), (1.0, 7.0), (None, 6.0)]:
        book.override(override(points))
        assert only(book).points == total

    assert len(book.history("ada").overrides) == 3


def test_what_is_in_force_is_not_stored_again(book):
    book.store(attempt(), sample())
    stored = [book.override(override(points)) for points in (3.0, 3.0, 1.0, 3.0)]

    assert stored == [True, False, True, True]
    assert only(book).record.exercises[0].checks[2].by_hand.before == 0.0


def test_an_override_outlives_changed_checks_and_says_when_its_check_is_gone(book):
    book.store(attempt(), sample(files="same"))
    book.override(override(3.0))
    book.store(attempt(), sample(course="sha256:changed", files="same"))
    assert only(book).points == 9.0

    book.store(attempt(), sample("second_attempt", course="sha256:changed again", files="same"))

    assert (only(book).points, [one.check for one in only(book).unused]) == (13.0, ["adds_the_input_back"])


def test_an_override_decides_what_we_could_not(book):
    book.store(attempt(), with_verdict(sample(), "keeps_the_shape", "grader_error"))
    book.override(override(2.0, check="keeps_the_shape"))

    assert next(one.verdict for one in only(book).record.exercises[0].checks) == "passed"


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (override(1.0, student="bob"), "no attempt of 'bob'"),
        (override(1.0, check="adds"), "no check residual_add.adds. There are residual_add.adds_the_input_back, "),
    ],
)
def test_an_override_of_nothing_is_refused(book, path, wrong, sentence):
    book.store(attempt(), sample())

    with pytest.raises(UsageError, match=sentence):
        book.override(wrong)
    assert rows(path, "SELECT count(*) FROM overrides") == [(0,)]


@pytest.mark.parametrize("wrong", [{"points": float("nan")}, {"points": 1.0, "reason": " "}])
def test_an_override_needs_a_number_and_a_reason(wrong):
    with pytest.raises(ValueError, match=r"number of points|needs a reason"):
        override(**wrong)


@given(st.floats(-100, 100), st.sampled_from(["missing_skip", "full_marks", "not_loadable"]), st.integers(0, 3))
def test_sums_follow_any_override(points, name, which):
    record = sample(name)
    changed = with_overrides(record, [override(points, check=record.exercises[0].checks[which].name)]).record

    assert changed.points == round(math.fsum(check.points for check in changed.exercises[0].checks), 2)
    assert 0 <= changed.points <= changed.max_points == record.max_points


def test_the_audit_trail_says_who_did_what(book):
    book.store(attempt(), sample())
    book.override(override(3.0))

    store, given_points = book.history("ada").audit

    assert (store.by, store.action, store.details["points"]) == ("teacher", "store", 6.0)
    assert (given_points.by, given_points.action, given_points.details["reason"]) == (
        "Grace",
        "override",
        "seen in class",
    )


@pytest.mark.parametrize("table", ["audit", "overrides"])
@pytest.mark.parametrize("statement", ["DELETE FROM {}", "UPDATE {} SET student = 'bob'"])
def test_what_was_done_cannot_be_undone(book, path, table, statement):
    book.store(attempt(), sample())
    book.override(override(3.0))

    with pytest.raises(sqlite3.IntegrityError, match="only grows"):
        rows(path, statement.format(table))


def test_students_are_read_one_at_a_time(book):
    for student in ("ada", "bob"):
        book.store(attempt(student=student), sample(student=student))
    grades = book.grades()
    next(grades)

    book.store(attempt(student="bob"), sample("full_marks", student="bob"))

    assert next(grades).points == 10.0


def test_a_report_reads_while_another_process_writes(book, path):
    book.store(attempt(), sample())
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute("DELETE FROM attempts")

        assert only(book).points == 6.0


def test_only_its_owner_may_read_it(book, path):
    assert book.notes == ()
    assert path.stat().st_mode & 0o077 == 0


def foreign(path):
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE something (a)")


def newer(path):
    open_gradebook(path).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {gradebook_file.VERSION + 1}")


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda path: path.write_bytes(b"student,points\n"), "is not a gradebook"),
        (lambda path: path.write_bytes(b"SQLite format 3\0" + b"x" * 5000), "is not a gradebook|is damaged"),
        (foreign, "is a database of another program"),
        (newer, "made by a newer grader .version 2; this one knows 1."),
        (lambda path: path.mkdir(), "is not a gradebook"),
        (os.mkfifo, "is not a gradebook"),
    ],
)
def test_a_file_that_is_not_ours_is_refused_and_left_as_it_is(path, make, sentence):
    make(path)
    before = path.read_bytes() if path.is_file() else None

    with pytest.raises(GradebookError, match=sentence):
        open_gradebook(path)
    assert before is None or path.read_bytes() == before


def test_none_is_made_unasked(path):
    with pytest.raises(GradebookError, match="There is no gradebook"):
        open_gradebook(path, create=False)
    assert not path.exists()


def test_a_folder_that_does_not_exist_is_told(tmp_path):
    with pytest.raises(GradebookError, match="No such file or directory"):
        open_gradebook(tmp_path / "nowhere" / "gradebook.db")


def test_a_record_that_cannot_be_read_is_told_and_graded_again(book, path):
    book.store(attempt(), sample())
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE records SET record = '{}'")

    with pytest.raises(GradebookError, match="record of 'ada' that this grader cannot read"):
        only(book)
    assert book.known(sample().submission.digest, "sha256:course") is None
    book.store(attempt(), sample())
    assert only(book).points == 6.0


def test_where_wal_fails_the_older_journal_is_used_and_said(path):
    Path(f"{path}-shm").mkdir()  # where WAL has its shared memory

    with open_gradebook(path) as book:
        book.store(attempt(), sample())
        assert "older journal" in book.notes[0]
    assert rows(path, "PRAGMA journal_mode") == [("delete",)]
    with open_gradebook(path) as book:
        assert only(book).points == 6.0


def test_on_a_network_drive_wal_is_given_up(path, monkeypatch):
    open_gradebook(path).close()
    monkeypatch.setattr(gradebook_file, "on_network", lambda _: True)

    with open_gradebook(path) as book:
        assert "network drive" in book.notes[0]
    assert rows(path, "PRAGMA journal_mode") == [("delete",)]


@pytest.mark.parametrize(
    ("kind", "opts", "found"), [("nfs4", "rw", True), ("ext4", "rw", False), ("NTFS", "rw,remote", True)]
)
def test_a_network_drive_is_told_by_the_nearest_mount(tmp_path, monkeypatch, kind, opts, found):
    around = [("/", "cifs", "rw"), (str(tmp_path), kind, opts), (str(tmp_path / "below"), "ext4", "rw")]
    mounts = [SimpleNamespace(mountpoint=at, fstype=fstype, opts=opts) for at, fstype, opts in around]
    monkeypatch.setattr("psutil.disk_partitions", lambda **_: mounts)

    assert gradebook_file.on_network(tmp_path / "x.db") is found


def child(path, *arguments):
    command = [sys.executable, str(CHILD), str(path), *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(CHILD.parents[1])}
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)


@pytest.mark.parametrize("wal", [True, False])
def test_killed_at_ten_random_moments_every_stored_submission_is_whole(path, wal):
    if not wal:
        Path(f"{path}-shm").mkdir()
    moments, longest, told = random.Random(6), 0.15, 0
    for _ in range(10):
        process = child(path, "s", told, 10_000, moments.uniform(0, longest))
        numbers = [int(line) for line in process.communicate(timeout=60)[0].splitlines()]
        told = max([told, *(number + 1 for number in numbers)])
        longest *= 1 if numbers else 2  # a machine that has much else to do gets on more slowly

        assert process.returncode == -signal.SIGKILL
        with open_gradebook(path) as book:
            assert rows(path, "PRAGMA integrity_check") == [("ok",)]
            found = {grade.student: grade.record for grade in book.grades()}
            trail = [len(book.history(student).audit) for student in found]
        assert len(found) in (told, told + 1)  # the last one may have been stored before its number was printed
        assert found == {one.arrival.student: record for one, record in (numbered("s", n) for n in range(len(found)))}
        assert trail == [1] * len(found)
        assert rows(path, "SELECT count(*) FROM records") == [(len(found),)]
    assert told


def test_a_file_whose_maker_was_killed_before_its_first_table_is_new(path):
    path.touch()
    rows(path, "PRAGMA journal_mode = WAL")

    with open_gradebook(path) as book:
        assert book.store(attempt(), sample()).outcome == "new"


def test_two_processes_that_store_at_once_lose_nothing(path):
    both = [child(path, name, 0, 60) for name in ("a", "b")]
    for process in both:
        process.communicate(timeout=120)

    assert [process.returncode for process in both] == [0, 0]
    with open_gradebook(path) as book:
        assert [grade.student for grade in book.grades()] == [f"{name}-{n:05}" for name in "ab" for n in range(60)]
    assert rows(path, "SELECT count(*) FROM audit") == [(120,)]
