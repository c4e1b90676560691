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
TEMPLATES = Path(__file__).parents[2] / "reports" / "templates"
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


@pytest.mark.parametrize("name", ["missing_skip", "deep_network"])
def test_page_is_as_it_was(sample, name):
    """After an intended change: GOLDEN=write pytest tests/reports, and read the diff."""
    page, golden = student_page(sample(name)), GOLDEN / f"{name}.html"
    if os.environ.get("GOLDEN") == "write":
        golden.write_text(page, encoding="utf-8")
    assert page == golden.read_text(encoding="utf-8")


def test_policy_comes_first_and_allows_exactly_the_style(record):
    page = student_page(record)
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)[1]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = Page(page).named("meta")[0]
    assert policy["http-equiv"] == "Content-Security-Policy"
    assert policy["content"].startswith(f"default-src 'none'; style-src 'sha256-{digest}';")
    assert page.index("<meta charset") < 1024


def test_page_holds_nothing_that_runs_or_asks_the_network(record):
    page = Page(student_page(record))
    names = {name for _, attributes in page.tags for name in attributes}
    links = [attributes["href"] for _, attributes in page.tags if "href" in attributes]
    assert not {name for name in names if name.startswith("on")} | (names & {"style", "src", "srcset", "action"})
    assert not page.named("script", "img", "link", "iframe", "object", "form", "base")
    assert all(link.startswith("#") for link in links)
    assert "url(" not in student_page(record)
    assert "@import" not in student_page(record)


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


def test_charts_are_told_in_words(sample):
    page = student_page(sample("deep_network"))
    (chart,) = Page(page).named("svg")
    assert chart["role"] == "img"
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


@pytest.mark.parametrize("name", ["full_marks", "missing_skip", "not_loadable", "stub", "deep_network"])
def test_a_usual_page_is_small(sample, name):
    assert len(student_page(sample(name)).encode()) <= 60_000


def test_a_hostile_page_is_bounded(sample):
    assert len(student_page(sample("hostile")).encode()) <= 1_000_000


def test_a_hundred_thousand_long_lines_add_little(sample):
    record = sample("missing_skip")
    flood = "\n".join(["x" * 300] * 100_000)
    record["exercises"][0]["printed"] = {"head": flood, "tail": flood, "characters": 2 * len(flood)}
    assert len(student_page(record).encode()) <= 60_000


def test_templates_loop_and_never_decide():
    for template in TEMPLATES.glob("*.html"):
        assert not re.search(r"\{%-?\s*(if|set)\b|\bif\b.*\belse\b", template.read_text(encoding="utf-8")), template
