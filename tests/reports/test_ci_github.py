"""GitHub Actions: annotations and step summary, read as its runner reads them."""

import re
from collections import Counter

import pytest
from ci_golden import EXERCISES, STRAINS, compare, many, strained
from class_records import RECORDS, sample

from reports.ci.findings import Base, findings
from reports.ci.github import MOST_OF_A_KIND, around, summary, workflow_commands
from reports.text import without_commands

SUMMARY_BYTES = 1_048_576  # actions/runner, FileCommandManager.cs: a longer one is dropped
MESSAGE_CHARACTERS = 4096  # actions/runner, ExecutionContext.cs
OUR_TAGS = re.compile(r"<br>|</?summary>|<details open>|</details>")


def runner_reads(printed: str) -> list[tuple[str, dict[str, str], str]]:
    """Kind, properties and message of each line, as ActionCommand.cs splits and unescapes them."""
    read = []
    for row in printed.split("\n")[:-1]:
        kind, told, message = re.fullmatch(r"::(\w+) (.*?)::(.*)", row).groups()
        properties = dict(one.split("=", 1) for one in told.split(","))
        read.append((kind, {name: unescaped(value) for name, value in properties.items()}, unescaped(message)))
    return read


def unescaped(text: str) -> str:
    for char, escape in (("\r", "%0D"), ("\n", "%0A"), (":", "%3A"), (",", "%2C"), ("%", "%25")):
        text = text.replace(escape, char)
    return text


def test_annotations_are_as_they_were():
    compare("github_annotations.txt", workflow_commands(sample("missing_skip"), EXERCISES).encode())


def test_summary_is_as_it_was():
    compare("github_summary.md", summary(sample("missing_skip"), EXERCISES))


def test_an_annotation_stands_at_the_line_in_the_repository():
    kind, told, message = runner_reads(workflow_commands(sample("missing_skip"), EXERCISES))[0]
    assert (kind, told["file"], told["line"]) == ("error", "exercises/residual_add.py", "14")
    assert "Your code computes F(Norm(x)); the exercise asks for x + F(Norm(x))." in message


def test_what_is_outside_the_repository_has_no_place():
    assert "file=" not in workflow_commands(sample("missing_skip"), Base(None))


def test_the_cell_of_a_notebook_is_told_in_words():
    record = sample("missing_skip")
    for check in record["exercises"][0]["checks"]:
        check["where"] = check["where"] and {**check["where"], "cell": 3}
    _, told, message = runner_reads(workflow_commands(record, EXERCISES))[0]
    assert "line" not in told
    assert "In residual_add.py code cell 3, line 14." in message


@pytest.mark.parametrize("text", STRAINS)
def test_no_text_becomes_a_command(text):
    record = strained(text)
    read = runner_reads(workflow_commands(record, EXERCISES))
    assert {kind for kind, _, _ in read} <= {"error", "warning", "notice"}
    assert all(told.keys() <= {"file", "line", "endLine", "title"} for _, told, _ in read)
    paths = {without_commands(found.path) for found in findings(record, EXERCISES)}
    assert {told["file"] for _, told, _ in read if "file" in told} <= paths
    said = {without_commands(found.message) for found in findings(record, EXERCISES)}
    assert {message for _, told, message in read if told["title"] != "Grade"} <= said
    assert not re.search(r"##\w*\[", workflow_commands(record, EXERCISES))


@pytest.mark.parametrize("verdict", ["failed", "partial", "needs_review"])
def test_there_are_at_most_ten_of_a_kind_and_the_others_are_counted(verdict):
    read = runner_reads(workflow_commands(many(30, verdict=verdict), EXERCISES))
    kinds = Counter(kind for kind, _, _ in read)
    assert max(kinds.values()) == MOST_OF_A_KIND == 10
    of_kind = [told for kind, told, _ in read if kinds[kind] == 10]
    left = 30 - sum("file" in told for told in of_kind)
    assert of_kind[-1]["title"] == f"and {left} more not shown here"


def test_checks_that_say_the_same_are_one_annotation():
    read = runner_reads(workflow_commands(sample("not_loadable"), EXERCISES))
    titles = [told["title"] for kind, told, _ in read if kind != "notice"]
    assert len({(kind, told.get("file"), message) for kind, told, message in read}) == len(read)
    assert any(re.search(r"and \d+ more$", title) for title in titles)


def test_a_message_is_not_cut_by_the_runner():
    read = runner_reads(workflow_commands(many(12, length=100_000), EXERCISES))
    assert max(len(message) for _, _, message in read) <= MESSAGE_CHARACTERS


@pytest.mark.parametrize("text", STRAINS)
def test_text_in_the_summary_is_neither_structure_nor_html(text):
    shown = summary(strained(text), EXERCISES).decode()
    plain = summary(strained("harmless"), EXERCISES).decode()
    assert len(shown.split("\n")) == len(plain.split("\n"))
    assert shown.count("|") == plain.count("|")
    without = OUR_TAGS.sub("", shown)
    assert not set("<>`$@[]~") & set(without)
    assert not re.search(r"&(?!(#\d+|amp|lt|gt);)|www\.|://", without)


def test_a_long_summary_is_cut_and_says_so():
    shown = summary(many(900, length=1400), EXERCISES)
    assert len(shown) < SUMMARY_BYTES
    assert shown.decode().endswith("The page has the rest.\n")


def test_a_summary_that_fits_is_whole():
    whole = summary(sample("missing_skip"), EXERCISES)
    assert b"The page has the rest." not in whole


@pytest.mark.parametrize("name", sorted(path.stem for path in RECORDS.glob("*.json")))
def test_every_record_can_be_told(name):
    assert runner_reads(workflow_commands(sample(name), EXERCISES))[-1]
    assert b"STAFF-SECRET" not in workflow_commands(sample(name), EXERCISES).encode() + summary(sample(name), EXERCISES)


def test_commands_are_stopped_by_a_token_and_go_on_with_it():
    assert around("t0k") == ("::stop-commands::t0k\n", "::t0k::\n")
