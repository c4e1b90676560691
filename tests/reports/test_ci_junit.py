"""JUnit XML, read as GitLab and the usual schema read it."""

import xml.etree.ElementTree as ET

import pytest
from ci_golden import EXERCISES, STRAINS, compare, strained
from class_records import RECORDS, sample
from test_hostile_text import STEERS

from reports.ci.junit import junit_xml

ALL = sorted(path.stem for path in RECORDS.glob("*.json"))
ATTRIBUTES = {
    "testsuites": {"name", "tests", "failures", "errors", "skipped", "time"},
    "testsuite": {"name", "tests", "failures", "errors", "skipped", "time"},
    "testcase": {"classname", "name", "file", "line", "time"},
    "properties": set(),
    "property": {"name", "value"},
    "failure": {"type", "message"},
    "error": {"type", "message"},
    "skipped": {"message"},
}
CHILDREN = {
    "testsuites": {"testsuite"},
    "testsuite": {"testcase"},
    "testcase": {"properties", "failure", "error", "skipped"},
    "properties": {"property"},
}


def read(data: bytes) -> ET.Element:
    """The root, after everything in it was found to be of the common set."""
    root = ET.fromstring(data)
    assert root.tag == "testsuites"
    for element in root.iter():
        assert element.attrib.keys() <= ATTRIBUTES[element.tag]
        assert {child.tag for child in element} <= CHILDREN.get(element.tag, set())
    for counted in (root, *root.iter("testsuite")):
        cases = list(counted.iter("testcase"))
        assert int(counted.get("tests")) == len(cases)
        for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert int(counted.get(attribute)) == sum(case.find(tag) is not None for case in cases)
    return root


def test_it_is_as_it_was():
    compare("junit.xml", junit_xml(sample("missing_skip"), EXERCISES))


@pytest.mark.parametrize("name", ALL)
def test_every_record_gives_the_common_set_with_unique_names(name):
    cases = list(read(junit_xml(sample(name), EXERCISES)).iter("testcase"))
    assert len({(case.get("classname"), case.get("name")) for case in cases}) == len(cases) > 0


@pytest.mark.parametrize("text", STRAINS)
def test_no_text_breaks_it(text):
    made = junit_xml(strained(text), EXERCISES)
    assert len(list(read(made).iter("testcase"))) == len(
        list(read(junit_xml(strained("x"), EXERCISES)).iter("testcase"))
    )
    assert not STEERS.search(made.decode())


def test_what_no_xml_file_may_hold_is_replaced():
    record = sample("missing_skip")
    record["exercises"][0]["checks"][-1]["verdict"] = "\x00\ud800\ufffe"
    assert read(junit_xml(record, EXERCISES)) is not None


@pytest.mark.parametrize(
    ("verdict", "tag"),
    [
        ("passed", None),
        ("partial", "failure"),
        ("failed", "failure"),
        ("raised", "error"),
        ("timed_out", "error"),
        ("grader_error", "error"),
        ("not_run", "skipped"),
        ("needs_review", "skipped"),
    ],
)
def test_a_verdict_has_its_element(verdict, tag):
    record = sample("missing_skip")
    record["exercises"][0]["checks"] = [{**record["exercises"][0]["checks"][-1], "verdict": verdict}]
    case = next(read(junit_xml(record, EXERCISES)).iter("testcase"))
    assert [child.tag for child in case if child.tag != "properties"] == ([tag] if tag else [])


def test_gitlab_reads_what_happened_from_the_content():
    failure = next(read(junit_xml(sample("missing_skip"), EXERCISES)).iter("failure"))
    assert "Your code computes F(Norm(x))" in failure.text
    assert "exercises/residual_add.py:14 (0/" in failure.text
