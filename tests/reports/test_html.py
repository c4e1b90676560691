"""The page of one student: complete, closed to the network, and deaf to what a student writes."""

import base64
import hashlib
import os
import re
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest

from reports.html import student_page

GOLDEN = Path(__file__).parents[1] / "golden"
REPORTS = Path(__file__).parents[2] / "reports"
TEMPLATES = REPORTS / "templates"
SHEETS, SCRIPTS = (sorted((REPORTS / "assets").glob(kind)) for kind in ("*.css", "*.js"))
GOLDEN_PAGES = ["missing_skip", "deep_network", "second_attempt"]
TIME = re.compile(r"\d{4}-\d\d-\d\d, \d\d:\d\d UTC")
VOID = {"meta", "br", "img", "link", "input", "hr"}
UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]")


class Page(HTMLParser):
    """All start tags in order; fails on a page whose elements do not close in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
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

    def named(self, *names: str) -> list[dict[str, str | None]]:
        return [attributes for tag, attributes in self.tags if tag in names]


@pytest.mark.parametrize("name", GOLDEN_PAGES)
def test_page_is_as_it_was(sample, name):
    """After an intended change: GOLDEN=write pytest tests/reports, and read the diff."""
    page, golden = TIME.sub("a time", student_page(sample(name))), GOLDEN / f"{name}.html"
    if os.environ.get("GOLDEN") == "write":
        golden.write_text(page, encoding="utf-8")
    assert page == golden.read_text(encoding="utf-8")


def test_policy_comes_first_and_allows_exactly_the_style_and_the_script(record):
    page = student_page(record)
    parts = [re.search(rf"<{name}>(.*?)</{name}>", page, re.DOTALL)[1] for name in ("style", "script")]
    style, script = (base64.b64encode(hashlib.sha256(part.encode()).digest()).decode() for part in parts)
    policy = Page(page).named("meta")[0]
    assert policy["http-equiv"] == "Content-Security-Policy"
    allowed = f"style-src 'sha256-{style}'; script-src 'sha256-{script}'; base-uri 'none'; form-action 'none'"
    assert policy["content"] == f"default-src 'none'; {allowed}"
    assert page.index("<meta charset") < 1024


def test_page_holds_nothing_else_that_runs_or_asks_the_network(record):
    page = Page(student_page(record))
    names = {name for _, attributes in page.tags for name in attributes}
    links = [attributes["href"] for _, attributes in page.tags if "href" in attributes]
    assert not {name for name in names if name.startswith("on")} | (names & {"style", "src", "srcset", "action"})
    assert page.named("script") == [{}]
    assert not page.named("img", "link", "iframe", "object", "form", "base")
    assert all(link.startswith("#") for link in links)
    assert "url(" not in student_page(record)
    assert "@import" not in student_page(record)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_a_script_builds_no_markup(script):
    script = script.read_text(encoding="utf-8")
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval|Function\(|fetch|import", script)


def test_what_all_pages_share_is_written_once():
    rules = {path.stem: re.findall(r"^[^@\s].*\{.*\}$", path.read_text(encoding="utf-8"), re.M) for path in SHEETS}
    shared = set(rules.pop("base"))
    assert {name for name, own in rules.items() if shared & set(own)} == set()


def test_links_lead_somewhere_and_names_are_unique(record):
    page = Page(student_page(record))
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert {attributes["href"][1:] for _, attributes in page.tags if "href" in attributes} <= set(ids)


def test_headings_are_in_order(record):
    levels = [int(tag[1]) for tag, _ in Page(student_page(record)).tags if re.fullmatch("h[1-6]", tag)]
    assert levels.count(1) == 1
    assert levels[0] == 1
    assert all(below <= above + 1 for above, below in pairwise(levels))


def test_tables_have_captions_and_scopes(record):
    page = Page(student_page(record))
    assert len(page.named("table")) == len(page.named("caption"))
    assert all(header.get("scope") in {"row", "col"} for header in page.named("th"))


def test_charts_and_drawings_are_told_in_words(sample):
    page = student_page(sample("deep_network"))
    figures = Page(page).named("svg")
    assert {figure["role"] for figure in figures} == {"img"}
    assert len(figures) == page.count("</title>") - 1 == page.count("</desc>")
    assert "without shortcuts: 0.000202 at layer 1, 0.00505 at layer 5." in page


def test_nothing_unseen_is_in_the_page(record):
    assert UNSEEN.search(student_page(record)) is None


def test_markup_of_a_student_is_text(sample):
    page = student_page(sample("hostile"))
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "{{ 7*7 }} {0.__class__}" in page


def test_staff_and_hidden_evidence_are_not_in_the_page(record):
    page = student_page(record)
    assert "STAFF-SECRET" not in page
    assert "HIDDEN-EVIDENCE" not in page


@pytest.mark.parametrize("name", ["full_marks", "not_loadable", "stub", *GOLDEN_PAGES])
def test_a_usual_page_is_small(sample, name):
    assert len(student_page(sample(name)).encode()) <= 60_000


def test_a_hostile_page_is_bounded(sample):
    assert len(student_page(sample("hostile")).encode()) <= 1_000_000


def test_a_hundred_thousand_long_lines_add_little(sample):
    record = sample("missing_skip")
    flood = "\n".join(["x" * 300] * 100_000)
    record["exercises"][0]["printed"] = {"head": flood, "tail": flood, "characters": 2 * len(flood)}
    assert len(student_page(record).encode()) <= 60_000


@pytest.mark.parametrize("name", GOLDEN_PAGES)
def test_at_most_one_card_is_open_and_all_hints_are_closed(sample, name):
    page = Page(student_page(sample(name)))
    assert len(page.named("article")) == 1
    assert not [attributes for attributes in page.named("details") if "open" in attributes]


@pytest.mark.parametrize("name", ["not_loadable", "stub"])
def test_what_could_not_run_has_no_tables_and_no_figures(sample, name):
    assert Page(student_page(sample(name))).named("table", "svg", "figure", "button") == []


def test_buttons_that_need_the_script_are_hidden_without_it(sample):
    page = Page(student_page(sample("second_attempt")))
    steppers = [attributes for attributes in page.named("div") if attributes.get("class") == "stepper"]
    assert len(steppers) == 2
    assert all("hidden" in attributes for attributes in steppers)
    assert len(page.named("button")) == 2 * 3


def test_lines_of_code_keep_their_number_and_their_text(sample):
    record = sample("second_attempt")
    page = student_page(record)
    shown = re.search(r'<pre class="frame"><code>(.*?)</code></pre>', page, re.DOTALL)[1]
    where = record["exercises"][1]["diagnosis"]["where"]
    assert re.sub("<[^>]*>", "", shown).split("\n")[:-1] == where["frame"].split("\n")
    assert re.findall(r'class="(row[^"]*)" data-n="(\d+)"', shown)[-1] == ("row here", "94")


def test_templates_loop_and_never_decide():
    for template in TEMPLATES.glob("*.html"):
        assert not re.search(r"\{%-?\s*(if|set)\b|\bif\b.*\belse\b", template.read_text(encoding="utf-8")), template
