"""GitLab's code quality report, by the rules of its documentation."""

import json

import pytest
from ci_golden import EXERCISES, STRAINS, compare, many, strained
from class_records import RECORDS, sample
from test_hostile_text import STEERS

from reports.ci.gitlab import code_quality

SEVERITIES = {"info", "minor", "major", "critical", "blocker"}


def gitlab_reads(data: bytes) -> list[dict]:
    assert not data.startswith(b"\xef\xbb\xbf")
    entries = json.loads(data)
    for entry in entries:
        assert entry.keys() == {"description", "check_name", "fingerprint", "severity", "location"}
        assert entry["severity"] in SEVERITIES
        assert entry["location"]["lines"]["begin"] >= 1
        assert not entry["location"]["path"].startswith(("./", "/"))
    assert len({entry["fingerprint"] for entry in entries}) == len(entries)
    return entries


def test_it_is_as_it_was():
    compare("gl-code-quality-report.json", code_quality(sample("missing_skip"), EXERCISES))


@pytest.mark.parametrize("name", sorted(path.stem for path in RECORDS.glob("*.json")))
def test_there_is_an_entry_for_each_check_that_did_not_pass(name):
    record = sample(name)
    checks = [check for exercise in record["exercises"] for check in exercise["checks"]]
    assert len(gitlab_reads(code_quality(record, EXERCISES))) == sum(one["verdict"] != "passed" for one in checks)


def test_a_fingerprint_outlives_a_new_line_and_another_formula():
    before, after = sample("missing_skip"), sample("missing_skip")
    for check in after["exercises"][0]["checks"]:
        if check["where"]:
            check["where"]["line"] += 7
            check["happened"] = "Something else."
    made = [gitlab_reads(code_quality(record, EXERCISES)) for record in (before, after)]
    assert [one["fingerprint"] for one in made[0]] == [one["fingerprint"] for one in made[1]]
    assert made[0] != made[1]


def test_checks_of_one_name_have_fingerprints_of_their_own():
    record = many(3)
    for check in record["exercises"][0]["checks"]:
        check["name"] = "same"
    assert len(gitlab_reads(code_quality(record, EXERCISES))) == 3


@pytest.mark.parametrize("text", STRAINS)
def test_no_text_steers_a_log(text):
    made = code_quality(strained(text), EXERCISES)
    assert gitlab_reads(made)
    assert not STEERS.search(made.decode())
