"""A worker that answers as it likes (hostile.py): each kind ends as a verdict in words, and costs the judge little."""

import os
import socket
import time
import tracemalloc
from pathlib import Path

import pytest
import torch

from grader.checks import probe as probes
from grader.checks.outcome import ended
from grader.checks.probe import Probe
from grader.model.results import CheckResult, Where
from grader.sandbox import session as sessions
from grader.sandbox.session import StudentRaised

SOURCE = Path(__file__).with_name("hostile.py").read_text(encoding="utf-8")
RESULT = CheckResult("adds", "It adds.", "the shortcut", "hidden", "passed", 1.0, 1.0)
TIME_UP = "Your code was still running when its time was up."
WROTE = "Your code wrote into the connection to the grader."
CLOSED = "Your code closed the connection to the grader."
SECONDS = 0.4
X = torch.ones(2, 3, dtype=torch.float64)


@pytest.fixture
def session(forked, open_session):
    opened = open_session(forked, SOURCE, "Block", check_seconds=SECONDS, again_seconds=SECONDS)
    opened.load()
    opened.begin(1)
    yield opened
    opened.close()


@pytest.fixture
def student(session, student_of):
    return student_of(session)


def verdict(check):
    """How a check ends in which this is done."""
    try:
        check()
    except Exception as ending:
        result = ended(RESULT, lambda *_: None, ending)
        return result.verdict, result.happened
    return "passed", ""


# Frames ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "ends"),
    [
        ("half_a_frame_then_silence", ("timed_out", TIME_UP)),
        ("half_a_head_then_silence", ("timed_out", TIME_UP)),
        ("half_a_frame_then_close", ("crashed", CLOSED)),
        ("half_a_frame_then_exit", ("crashed", "Your code ended its own process (exit code 3).")),
        ("announces_4_gib", ("crashed", WROTE)),
        ("announces_tensors_of_4_gib", ("crashed", WROTE)),
        ("announces_nothing", ("crashed", WROTE)),
        ("noise", ("crashed", WROTE)),
        ("text_for_a_frame", ("crashed", WROTE)),
        ("answers_the_next_question", ("crashed", WROTE)),
        ("drips", ("timed_out", TIME_UP)),
        ("floods_with_frames", ("timed_out", TIME_UP)),
        ("floods_and_reads_along", ("timed_out", TIME_UP)),
        ("asks_without_end", ("timed_out", TIME_UP)),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_hostile_frame_ends_as_a_verdict(student, kind, ends):
    begun = time.monotonic()

    assert verdict(lambda: student.build(kind)) == ends
    assert time.monotonic() - begun < SECONDS + 2.0


def test_next_check_has_a_new_worker(session, student):
    verdict(lambda: student.build("noise"))

    session.begin(1)

    assert torch.equal(student.Block()(X), 2 * X)


def test_drip_costs_the_memory_that_arrived(student):
    tracemalloc.start()
    try:
        verdict(lambda: student.build("drips"))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert peak < 30 << 20


@pytest.mark.parametrize("kind", ["answers_twice", "answers_later"])
def test_answer_too_many_is_noticed_at_the_next_question(student, kind):
    student.build(kind)
    time.sleep(0.1)

    assert verdict(student.state) == ("crashed", WROTE)


def test_descriptors_passed_along_do_not_arrive():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        before = len(os.listdir("/proc/self/fd"))
        socket.send_fds(theirs, [b"frame"], [0, 1, 2])

        assert ours.recv(100) == b"frame"
        assert len(os.listdir("/proc/self/fd")) == before


# Probes ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["asks_for_an_unknown_probe", "asks_for_an_unknown_gradient"])
def test_what_does_not_exist_is_refused_in_words(student, kind):
    assert student.build(kind).startswith("the sublayer cannot take this")


@pytest.mark.parametrize(
    "kind",
    ["asks_for_a_gradient_of_another_shape", "asks_with_too_much", "asks_with_nothing_that_is_large",
     "asks_with_a_tensor_by_name"],
)  # fmt: skip
def test_what_would_cost_the_judge_much_is_refused_in_words(student, kind):
    probe = Probe(lambda h, scale=1.0: h * scale)

    assert student.build(kind, probe).startswith("the sublayer cannot take this")


def test_loop_around_the_sublayer_is_told_with_its_line(student, monkeypatch):
    monkeypatch.setattr(probes, "MAX_CALLS", 50)
    check = student.Calling(Probe(lambda h: h))

    with pytest.raises(StudentRaised) as caught:
        check(X)

    assert ended(RESULT, lambda *_: None, caught.value).happened == (
        "Your code calls the sublayer again and again without an end."
    )
    assert caught.value.where.code == "x = self.sublayer(x)"


def test_loop_around_the_sublayer_that_catches_all_runs_out_of_time(student, monkeypatch):
    monkeypatch.setattr(probes, "MAX_CALLS", 50)
    probe = Probe(lambda h: h)

    assert verdict(lambda: student.Stubborn(probe)(X)) == ("timed_out", TIME_UP)
    assert len(probe.calls) == 50


def test_serving_probes_prolongs_a_question_by_so_much_only(student, monkeypatch):
    monkeypatch.setattr(sessions, "SERVED_SECONDS", 0.3)
    slow = Probe(lambda h: (time.sleep(0.1), h)[1])
    begun = time.monotonic()

    assert verdict(lambda: student.Calling(slow)(X)) == ("timed_out", TIME_UP)
    assert time.monotonic() - begun < SECONDS + 0.3 + 2.0


# Words and places -----------------------------------------------------------------------------------------------------


def test_places_that_are_not_there_are_no_places(student):
    with pytest.raises(StudentRaised) as caught:
        student.build("raises_with_absurd_places")

    result = ended(RESULT, lambda *_: None, caught.value)
    assert (result.verdict, caught.value.where) == ("raised", None)
    assert len(result.happened) < 400


def test_line_of_a_place_is_what_was_handed_in(student):
    with pytest.raises(StudentRaised) as caught:
        student.build("raises_at_a_place_of_its_own")

    assert caught.value.where == Where.among(SOURCE.splitlines(), "residual_add.py", None, 1)


def test_memory_that_ran_out_is_a_claim_like_any_other(student):
    assert verdict(lambda: student.build("says_that_memory_ran_out"))[0] == "out_of_memory"
