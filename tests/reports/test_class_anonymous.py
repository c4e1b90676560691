"""A record that does not say whose it is."""

import copy
import json

from class_records import record

from reports.classroom.anonymous import anonymised, without_name
from reports.html import student_page

NAME = "Ada Lovelace"


def ada():
    """Her name is in all places where a student's name may be."""
    made = record("missing_skip", NAME)
    exercise = made["exercises"][0]
    made["submission"]["files"][0]["path"] = exercise["file"] = "Ada Lovelace/lovelace_block.py"
    made["submission"]["skipped"] = [{"path": "Ada's photo.png", "reason": "Ada's photo.png is not Python."}]
    exercise["remarks"] = ["`Ada Lovelace/lovelace_block.py` was taken as residual_add."]
    exercise["printed"] = {"head": "hello from ADA  LOVELACE\n", "tail": "", "characters": 25}
    exercise["diagnosis"]["happened"] = "lovelace_block.py line 3: Ada raised an error."
    exercise["diagnosis"]["where"] |= {"file": exercise["file"], "code": "return x  # by Ada"}
    return made


def test_no_part_of_the_name_is_left():
    told = json.dumps(anonymised(ada(), NAME, "7KQP")).lower()
    assert "ada" not in told
    assert "lovelace" not in told


def test_no_part_of_the_name_is_on_the_page():
    page = student_page(anonymised(ada(), NAME, "7KQP"))
    assert "7KQP" in page
    assert "Ada" not in page
    assert "ovelace" not in page


def test_the_file_of_an_exercise_is_called_like_the_exercise():
    told = anonymised(ada(), NAME, "7KQP")
    assert told["exercises"][0]["file"] == told["submission"]["files"][0]["path"] == "residual_add.py"
    assert told["exercises"][0]["remarks"] == ["`residual_add.py` was taken as residual_add."]


def test_another_file_is_not_named():
    assert anonymised(ada(), NAME, "7KQP")["submission"]["skipped"][0]["path"] == "another file"


def test_what_the_grader_measured_stays():
    before = record("deep_network", "Norm")
    after = anonymised(before, "Norm", "7KQP")
    for part in ("formula", "points", "verdict", "tag", "name", "title"):
        told = [[check[part] for check in one["exercises"][0]["checks"]] for one in (before, after)]
        assert told[0] == told[1]


def test_the_record_itself_is_not_changed():
    before = ada()
    kept = copy.deepcopy(before)
    anonymised(before, NAME, "7KQP")
    assert before == kept


def test_staff_notes_are_left_out():
    assert anonymised(ada(), NAME, "7KQP")["staff"] == {}


def test_a_name_within_a_word_is_no_name():
    assert without_name("Ada made an adapter, Adam did not.", "Ada", "7KQP") == "7KQP made an adapter, Adam did not."


def test_a_name_may_hold_signs_of_regular_expressions():
    assert without_name(r"by a+b (\1) c.", r"a+b (\1) c", r"\1") == r"by \1."
