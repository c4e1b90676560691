"""Classroom 50's result.json, by the rules of its `collect_scores.py`; Gradescope's is in test_export_gradescope.py."""

import json

import pytest
from ci_golden import STRAINS, compare, strained
from class_records import RECORDS, sample
from test_hostile_text import STEERS

from reports import ci
from reports.ci.classroom50 import result
from reports.ci.findings import Base

ENVIRON = {
    "CLASSROOM": "cs7",
    "ASSIGNMENT": "lab2-residual",
    "SUBMISSION_TAG": "submit/2026-09-14T23-51-00Z-a1b2c3d",
    "COMMIT_URL": "https://github.com/example-org/cs7-lab2-residual-ada-l/commit/a1b2c3d",
    "RELEASE_URL": "https://github.com/example-org/cs7-lab2-residual-ada-l/releases/tag/submit",
    "REVIEW_URL": "https://github.com/example-org/cs7-lab2-residual-ada-l/commit/a1b2c3d",
}


def classroom_reads(data: bytes) -> dict:
    """What `validate_result` demands: whole numbers from 0, no score above its maximum, names that are not empty."""
    told = json.loads(data)
    assert told["schema"] == "classroom50/result/v1"
    for name in ("classroom", "assignment", "submission", "commit", "release", "review", "datetime"):
        assert isinstance(told[name], str)
        assert told[name]
    for one in (told, *told["tests"]):
        assert type(one["score"]) is type(one["max-score"]) is int
        assert 0 <= one["score"] <= one["max-score"]
    assert all(type(one["passed"]) is bool and one["test-name"] for one in told["tests"])
    return told


def test_it_is_as_it_was():
    compare("classroom50_result.json", result(sample("missing_skip"), ENVIRON))


@pytest.mark.parametrize("name", sorted(path.stem for path in RECORDS.glob("*.json")))
@pytest.mark.parametrize("environ", [ENVIRON, {}], ids=["there", "elsewhere"])
def test_points_arrive_in_hundredths(name, environ):
    record = sample(name)
    record["exercises"][0]["checks"][0]["verdict"] = "partial"  # a sample may hold one that could not be graded
    for exercise in record["exercises"]:
        exercise["checks"] = [one for one in exercise["checks"] if one["verdict"] != "grader_error"]
    earned = sum(check["points"] for exercise in record["exercises"] for check in exercise["checks"])
    assert classroom_reads(result(record, environ))["score"] == pytest.approx(100 * earned)


def test_less_than_full_marks_stays_less():
    record = sample("full_marks")
    record["exercises"][0]["checks"][0] |= {"points": record["exercises"][0]["checks"][0]["max_points"] - 1e-4}
    told = classroom_reads(result(record, ENVIRON))
    assert told["score"] == told["max-score"] - 1
    assert not told["tests"][0]["passed"]


def test_what_could_not_be_graded_has_no_result():
    record = sample("full_marks")
    record["exercises"][0]["checks"][0]["verdict"] = "grader_error"
    assert result(record, ENVIRON) is None
    assert ci.files(record, ("classroom50", "gradescope"), Base(), ENVIRON).keys() == {"results.json"}


@pytest.mark.parametrize("text", STRAINS)
def test_no_text_steers_a_log(text):
    made = result(strained(text), {**ENVIRON, "CLASSROOM": text})
    assert classroom_reads(made)
    assert not STEERS.search(made.decode())


def test_gradescope_is_told_as_an_export_tells_it():
    made = ci.files(sample("missing_skip"), ("gradescope",), Base(), {})
    compare("gradescope_results.json", made["results.json"])


def test_formats_may_be_asked_for_together():
    made = ci.files(sample("missing_skip"), ci.FORMATS, Base(), {})
    assert made.keys() == {
        "junit.xml",
        "gl-code-quality-report.json",
        "results.json",
        "result.json",
        "github-classroom.json",
    }
