"""What the lab found, as a page and in a terminal."""

import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from rich.console import Console

from reports.html import student_page
from reports.lab.console import PLAIN_BARS, show, sparkline
from reports.lab.depth import rounded
from reports.lab.html import lab_page
from reports.lab.learned import spread, when

RECORDS = Path(__file__).parents[1] / "samples" / "records"
VOID = {"meta"}
LEARNED, LATE, NEVER = [0.0, 0.95, 1.0], [0.0, 0.5, 0.9], [0.0, 0.1, 0.2]


class Tags(HTMLParser):
    """All start tags; fails on a page whose elements do not close in order."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.open = [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def named(self, *names):
        return [attributes for tag, attributes in self.tags if tag in names]


def copy_task(**runs):
    """A record of the copy task with these runs, each a list of shares for a look after 0, 5 and 10 steps."""
    curves = [{"who": who, "runs": its, "stopped": ""} for who, its in runs.items()]
    tried = {"path": "block.py", "digest": "sha256:0", "own": "yours" in runs}
    found = {"tried": tried, "blocks": 4, "length": 8, "symbols": 16, "steps": 10, "every": 5, "curves": curves}
    return {"schema": "grade/lab/v1", "course": "", "gradients": None, "copy_task": found, "gpt2": None}


def shown(name, found, encoding="utf-8"):
    out = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    show(name, found, Console(file=out, force_terminal=False), "out/lab.html")
    out.flush()
    return out.buffer.getvalue().decode(encoding)


# The page -------------------------------------------------------------------------------------------------------------


def test_nothing_on_the_page_runs_or_asks_the_network(sample):
    page = Tags(lab_page(sample))

    names = {name for _, attributes in page.tags for name in attributes}
    assert not {name for name in names if name.startswith("on")} | (names & {"style", "src", "srcset", "action"})
    assert not page.named("script", "img", "link", "iframe", "object", "form", "base")
    assert page.named("meta")[0]["http-equiv"] == "Content-Security-Policy"
    assert "url(" not in lab_page(sample)


def test_links_lead_somewhere_and_names_are_unique(sample):
    page = Tags(lab_page(sample))

    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert {attributes["href"][1:] for _, attributes in page.tags if "href" in attributes} <= set(ids)


def test_charts_are_told_in_words_and_in_tables(sample):
    page = lab_page(sample)

    figures = Tags(page).named("svg")
    assert len(figures) == page.count("</desc>") == 1 + 3 + 1
    assert "with shortcuts: 0.222 at 5, 2.9e+07 at 50." in page
    assert len(Tags(page).named("caption")) == len(Tags(page).named("table"))


def test_each_curve_has_its_band(sample):
    assert lab_page(sample).count("<polygon ") == len(sample["copy_task"]["curves"]) == 3


def test_the_name_of_a_file_is_text(sample):
    sample["copy_task"]["tried"]["path"] = "<script>alert(1)</script>.py"

    page = lab_page(sample)

    assert "&lt;script&gt;alert(1)&lt;/script&gt;.py" in page
    assert Tags(page).named("script") == []


@pytest.mark.parametrize("name", ["gradients", "copy_task", "gpt2"])
def test_what_was_not_tried_is_not_on_the_page(sample, name):
    sample[name] = None

    assert len(Tags(lab_page(sample)).named("section")) == 2


def test_the_page_is_small(sample):
    assert len(lab_page(sample).encode()) <= 80_000


@pytest.fixture
def submission(sample):
    """A record of a submission, which holds the file that the copy task was made with."""
    record = json.loads((RECORDS / "deep_network.json").read_text(encoding="utf-8"))
    record["submission"]["files"] = [{"path": "block.py", "digest": sample["copy_task"]["tried"]["digest"]}]
    return record


def test_the_page_of_a_submission_shows_what_was_found_with_its_files(sample, submission):
    page = student_page(submission, lab=sample)

    found = {section.get("id") for section in Tags(page).named("section")}
    assert {"copy-task", "gpt2"} <= found
    assert "gradients" not in found
    assert page.count("<polygon ") == 3
    assert {attributes["href"][1:] for attributes in Tags(page).named("a")} >= {"copy-task", "gpt2"}


def test_the_page_of_a_submission_that_was_changed_since_shows_none_of_it(sample, submission):
    submission["submission"]["files"][0]["digest"] = "sha256:another"

    assert student_page(submission, lab=sample) == student_page(submission)


# What is said ---------------------------------------------------------------------------------------------------------


def test_learned_is_ninety_percent_right_the_first_time():
    assert when([LEARNED, LATE, NEVER], 5) == [5, 10, None]


def test_a_band_goes_from_the_worst_to_the_best():
    found = spread([LEARNED, LATE, NEVER])

    assert (found.median, found.low, found.high) == ((0.0, 0.5, 0.9), (0.0, 0.1, 0.2), (0.0, 0.95, 1.0))


@pytest.mark.parametrize(
    ("mine", "twins", "told"),
    [
        ([LEARNED] * 3, [LATE, NEVER, LATE], "learned faster on 3 of 3 seeds"),
        ([LEARNED, LATE], [NEVER, LEARNED], "learned faster on 1 of 2 seeds"),
        ([LEARNED, LATE], [NEVER, LEARNED], "On 1 of 2 seeds the twin was as fast or faster"),
        ([LATE], [LATE], "On 1 of 1 seed the twin was as fast or faster"),
        ([NEVER], [LEARNED], "On 1 of 1 seed the twin was as fast or faster"),
        ([NEVER], [NEVER], "On 1 of 1 seed neither of them learned to copy"),
        ([LEARNED], [NEVER], "90 % right after 5 steps. Their twin had that at no time in 10 steps"),
    ],
)
def test_who_learned_faster_is_told_as_it_was(mine, twins, told):
    assert told in lab_page(copy_task(yours=mine, reference=mine, without=twins))


def test_a_twin_of_one_block_that_is_faster_is_explained():
    found = copy_task(yours=[LATE], reference=[LATE], without=[LEARNED])
    assert "One block alone" not in lab_page(found)

    found["copy_task"]["blocks"] = 1

    assert "One block alone" in lab_page(found)


def test_nobody_is_said_to_be_faster_where_there_is_no_twin():
    page = lab_page(copy_task(yours=[LEARNED], reference=[LEARNED], without=[]))

    assert "faster on" not in page


def test_the_reason_for_a_missing_curve_is_told_once():
    found = copy_task(yours=[], reference=[LEARNED], without=[])
    for curve in found["copy_task"]["curves"]:
        curve["stopped"] = "" if curve["runs"] else "It is still the stub."

    assert lab_page(found).count("It is still the stub.") == 1


def test_another_shape_and_a_missing_gradient_are_told(sample):
    assert "another shape" not in lab_page(sample)
    assert "to each of the 12 blocks" in lab_page(sample)
    sample["gpt2"] |= {"returned": [1, 64, 767], "gradients": [None, 0.0, *sample["gpt2"]["gradients"][2:]]}

    page = lab_page(sample)

    assert "another shape" in page
    assert "No full gradient gets to 2 blocks." in page


@pytest.mark.parametrize(
    ("value", "text"), [(1099.0, "1,100"), (0.11, "0.11"), (6.89e37, "6.9·10³⁷"), (5.33e-29, "5.3·10⁻²⁹")]
)
def test_large_and_small_numbers_are_written_for_people(value, text):
    assert rounded(value) == text


# A terminal -----------------------------------------------------------------------------------------------------------


def test_a_sparkline_has_a_bar_for_each_look():
    assert sparkline([0.0, 0.5, 1.0]) == "▁▅█"


def test_a_terminal_shows_curve_and_numbers_in_a_row(sample):
    rows = shown("copy_task", sample["copy_task"]).splitlines()

    row = next(row for row in rows if row.startswith("  yours"))
    assert re.search("[▁▂▃▄▅▆▇█]{25} ", row)
    assert "60 steps" in row
    assert rows[-1] == "page  out/lab.html"


def test_an_encoding_without_bars_gets_others(sample):
    told = shown("copy_task", sample["copy_task"], "ascii")

    assert re.search(f"yours +[{re.escape(PLAIN_BARS)}]{{25}} ", told)


@pytest.mark.parametrize("name", ["gradients", "copy_task", "gpt2"])
def test_no_line_is_a_command_to_a_ci_system(sample, name):
    sample[name]["tried"]["path"] = "::error::x\n::error::y"

    assert not [row for row in shown(name, sample[name]).splitlines() if row.lstrip().startswith("::")]
