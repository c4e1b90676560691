"""A few submissions in a row leave nothing behind. Counts only: memory is for `python -m bench.stability`."""

import os
import subprocess
import sys

from bench.stability import State, more, own_temporary_folder, started, state, states


def test_nothing_is_left_of_a_submission():
    first, *later = states(4, looks=2, at_once=1)

    assert [one.submissions for one in later] == [2, 4]
    assert [one.counts for one in later] == [first.counts, first.counts]
    assert first.zombies == 0


def test_what_is_left_is_counted():
    with own_temporary_folder() as folder:
        before = state(0)
        (folder / "left").touch()
        descriptor = os.open(folder / "left", os.O_RDONLY)
        ended = subprocess.Popen([sys.executable, "-c", ""])
        os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)

        after = state(0)

        ended.wait()
        os.close(descriptor)

    assert after.files == before.files + 1
    assert after.descriptors == before.descriptors + 1
    assert after.zombies == before.zombies + 1
    assert after.processes == before.processes + 1


def test_the_oldest_process_is_the_one_that_started_first():
    with subprocess.Popen(["sleep", "60"]) as later:
        order = sorted((later.pid, os.getpid()), key=started)
        later.kill()

    assert order == [os.getpid(), later.pid]
    assert started(later.pid) > started(os.getpid())  # it is gone


def test_a_judge_that_has_just_ended_is_no_growth():
    first, fewer, left = (
        State(0, 20.0, 20.0, *counts) for counts in ((17, 15, 8, 0, 2), (15, 15, 7, 0, 2), (17, 15, 8, 0, 3))
    )

    assert not more([first, fewer])
    assert more([first, fewer, left])
