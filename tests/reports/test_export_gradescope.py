"""Gradescope: results.json by its autograder specification."""

import json

import pytest
from class_records import RECORDS, sample
from export_class import class_of_six, compare, row

from reports.export.gradescope import results
from reports.export.rows import Row, Who, row_of

FORMATS = {"text", "html", "simple_format", "md", "ansi"}
VISIBILITIES = {"visible", "hidden", "after_due_date", "after_published"}


def gradescope_reads(data: bytes) -> float | None:
    """The total: `score`, or the sum of the tests; None where it says that the autograder did not succeed."""
    told = json.loads(data)
    assert told["output_format"] in FORMATS
    assert told["visibility"] in VISIBILITIES
    for test in told["tests"]:
        assert test["visibility"] == "visible"
        assert test.get("status", "passed") in {"passed", "failed"}
        assert 0 <= test.get("score", 0) <= test["max_score"]
    scores = [test["score"] for test in told["tests"] if "score" in test]
    return told.get("score", sum(scores) if scores else None)


def test_every_grade_arrives():
    totals = [gradescope_reads(results(one)) for one in class_of_six() if one.state in ("graded", "needs_review")]
    assert totals == [4.5, 10.0, 1.8, 9.99]


@pytest.mark.parametrize("at", [0, 3])
def test_results_are_as_they_were(at):
    compare(f"gradescope_{('some', '', '', 'not_graded')[at]}.json", results(class_of_six()[at], seconds=4.21))


def test_check_that_could_not_be_graded_has_no_score_and_no_status():
    told = json.loads(results(class_of_six()[3]))
    assert "score" not in told
    assert [("score" in one, "status" in one) for one in told["tests"]] == [(True, True), (False, False), (True, True)]


@pytest.mark.parametrize("one", [row(Who("x"), None, None, None), Row(Who("x"), 10.0)])
def test_nothing_graded_is_no_zero(one):
    assert gradescope_reads(results(one)) is None


@pytest.mark.parametrize("name", sorted(path.stem for path in RECORDS.glob("*.json")))
def test_every_record_can_be_shown(name):
    record = sample(name)
    assert gradescope_reads(results(row_of(record, Who("x")))) == pytest.approx(record["points"])


def test_unseen_characters_are_marked():
    assert not {"\u202e", "\x1b", "\u200b"} & set(json.loads(results(row_of(sample("hostile"), Who("x"))))["output"])
