"""The result of a runner of GitHub Classroom, by the rules of `autograding-grading-reporter`."""

import base64
import json

import pytest
from ci_golden import EXERCISES, STRAINS, compare, strained
from class_records import RECORDS, sample
from test_hostile_text import STEERS

from reports.ci.findings import Base
from reports.ci.github_classroom import result, step_output

KINDS = {"passed": "pass", "needs_review": "pass", "failed": "fail", "not_run": "fail", "crashed": "error"}


def reporter_reads(data: bytes) -> dict:
    """It adds up the scores, divides by the number of tests, and takes these words only."""
    told = json.loads(data)
    assert told["version"] == 1
    assert told["status"] in ("pass", "fail", "error")
    assert told["tests"]
    for test in told["tests"]:
        assert test["status"] in ("pass", "fail", "error")
        assert test["score"] >= 0
        assert all(isinstance(test[name], str) for name in ("name", "message", "test_code", "filename"))
        assert all(isinstance(test[name], int) for name in ("line_no", "duration"))
    assert sum(test["score"] for test in told["tests"]) <= told["max_score"] + 1e-9
    return told


def test_it_is_as_it_was():
    compare("github_classroom.json", result(sample("missing_skip"), EXERCISES))


@pytest.mark.parametrize("name", sorted(path.stem for path in RECORDS.glob("*.json")))
def test_points_arrive(name):
    record = sample(name)
    for exercise in record["exercises"]:
        exercise["checks"] = [one for one in exercise["checks"] if one["verdict"] != "grader_error"]
    checks = [check for exercise in record["exercises"] for check in exercise["checks"]]
    told = reporter_reads(result(record, Base()))
    assert sum(test["score"] for test in told["tests"]) == pytest.approx(sum(check["points"] for check in checks))
    assert told["max_score"] == pytest.approx(sum(check["max_points"] for check in checks))
    assert (told["status"] == "pass") == all(check["points"] == check["max_points"] for check in checks)


@pytest.mark.parametrize(("verdict", "status"), KINDS.items())
def test_a_verdict_becomes_one_of_three_words(verdict, status):
    record = sample("full_marks")
    check = record["exercises"][0]["checks"][0]
    check["verdict"] = verdict
    check["points"] = check["max_points"] if status == "pass" else 0
    told = reporter_reads(result(record, Base()))
    assert told["tests"][0]["status"] == status
    assert told["status"] == ("pass" if status == "pass" else "fail")


def test_less_than_full_marks_stays_less_and_figures_are_short():
    record = sample("full_marks")
    check = record["exercises"][0]["checks"][0]
    check |= {"points": check["max_points"] - 1 / 3, "verdict": "partial"}
    test = reporter_reads(result(record, Base()))["tests"][0]
    assert test["score"] == pytest.approx(check["max_points"] - 0.34)
    assert len(str(test["score"])) <= 5


def test_what_could_not_be_graded_or_has_no_check_has_no_result():
    record = sample("full_marks")
    record["exercises"][0]["checks"][0]["verdict"] = "grader_error"
    assert result(record, Base()) is None
    assert result({**record, "exercises": []}, Base()) is None


@pytest.mark.parametrize("text", STRAINS)
def test_no_text_steers_the_log_that_the_reporter_writes(text):
    told = reporter_reads(result(strained(text), Base()))
    printed = "\n".join(f"{test['name']}\n{test['message']}\n{test['filename']}" for test in told["tests"])
    assert not STEERS.search(printed)


def test_the_output_of_the_step_is_one_line_in_base64():
    made = result(sample("missing_skip"), EXERCISES)
    line = step_output(made).decode()
    name, _, packed = line.partition("=")
    assert (name, line.count("\n"), line[-1]) == ("result", 1, "\n")
    assert json.loads(base64.b64decode(packed)) == json.loads(made)
