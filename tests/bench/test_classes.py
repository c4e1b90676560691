"""The made-up class: read back from each platform's download, and graded as planned."""

import pytest

from bench.classes import LAYOUTS, members, run, write_class
from grader.intake.classes import read_class


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_download_holds_everybody(layout, tmp_path):
    everybody = list(members(60))
    write_class(tmp_path / "class.zip", everybody, layout)

    handed_in = read_class(tmp_path / "class.zip")

    assert handed_in.layout.startswith(layout)
    assert len({one.key for one in handed_in.hand_ins}) == 60


def test_the_class_is_the_same_each_time_and_has_all_kinds():
    first, second = list(members(60)), list(members(60))

    assert first == second
    assert {one.kind for one in first} == {"right", "wrong", "odd", "hostile"}
    assert {one.earns for one in first} == {"all", "some", "none"}


def test_a_class_is_graded_as_planned():
    done = run(12, "canvas")

    assert done.differs == ()
    assert done.peak_mib > 0
