"""The page of alike submissions: says what it is, shows both sides, and is deaf to what students write."""

import base64
import hashlib
import re
from itertools import pairwise

import msgspec
import pytest
from test_html import UNSEEN, Page

from grader.alike.found import Alike, Pair, Part, Side
from reports.alike.html import alike_page
from reports.alike.view import LINES, PAIRS, PARTS
from reports.words import words

HOSTILE = (
    "<script>alert(1)</script>",
    "{{ 7*7 }}{% for x in y %}",
    '"><img src=x onerror=alert(1)>',
    "\u202eevil\u200b\x1b[31m\x00",
    "</pre></style></script><h1>",
    "x" * 5000,
    "a\nb\rc\u2028d",
)
CODE = ("def walk(self, start):", "\tseen = []", "    while start not in seen:")


def side(file: str = "ring.py", first: int = 5, lines: tuple[str, ...] = CODE, cell: int | None = None) -> Side:
    return Side(file, cell, first, first + len(lines) - 1, lines)


def pair(one: str = "Ada", other: str = "Ben", *parts: Part, **options) -> Pair:
    parts = parts or (Part(side(), side("my work.ipynb", 1, ("def go(me, at):", "    been = []"), cell=3), 41),)
    return Pair(one, other, options.pop("score", 0.816), 41, parts, **options)


def found(*pairs: Pair, **options) -> Alike:
    return Alike(students=120, least=0.4, pairs=pairs, **options)


def page_of(alike: Alike, course: str = "Residual connections") -> str:
    return alike_page(msgspec.to_builtins(alike), course)


def hostile() -> Alike:
    pairs = [pair(text, text, Part(side(text, 1, (text, text)), side(text, 1, (text,), cell=1), 9)) for text in HOSTILE]
    return found(*pairs, cut=HOSTILE)


def many() -> Alike:
    lines = tuple(f"line_{at} = {'x' * 190}" for at in range(40))
    parts = [Part(side(lines=lines), side(lines=lines), 300) for _ in range(12)]
    return found(*(pair(f"one {at}", f"other {at}", *parts, parts_left_out=5) for at in range(100)), pairs_left_out=418)


MADE = {"one": lambda: found(pair()), "none": found, "hostile": hostile, "many": many}


@pytest.fixture(scope="module", params=MADE)
def page(request):
    return page_of(MADE[request.param](), "<b>Course</b>")


def visible(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", page.partition("<body>")[2]))


def test_says_first_that_it_is_a_hint_and_what_it_does_not_mean(page):
    text = visible(page).replace("&#39;", "'")
    told = [words()["alike"][name] for name in ("hint", "means", "means_not", "reasons", "misses")]
    places = [text.index(sentence) for sentence in (*told, "The pairs ")]
    assert places == sorted(places)


def test_both_sides_stand_beside_each_other_with_their_line_numbers():
    page = page_of(found(pair()))
    one, other = re.findall(r'<div class="side">(.*?)</div>', page, re.DOTALL)
    assert "<b>Ada</b> · ring.py, lines 5 to 7" in one
    assert "<b>Ben</b> · my work.ipynb, code cell 3, lines 1 to 2" in other
    assert re.findall(r'data-n="(\d+)">(.*?)</code>', one) == [
        ("5", "def walk(self, start):"),
        ("6", "    seen = []"),
        ("7", "    while start not in seen:"),
    ]


def test_pairs_are_ranked_and_lead_to_their_parts():
    page = page_of(found(pair(score=0.999), pair("Eve", "Kim")))
    rows = [re.sub(r"<[^>]+>", " ", row).split() for row in re.findall(r"<tr>(<td.*?)</tr>", page)]
    assert rows == [
        ["1", "Ada", "and", "Ben", "99", "%", "41", "1"],
        ["2", "Eve", "and", "Kim", "81", "%", "41", "1"],
    ]
    assert re.findall(r'<a href="#(pair-\d)"', page) == re.findall(r'<section id="(pair-\d)"', page)


def test_no_pairs_are_said_in_words():
    page = page_of(found())
    assert words()["alike"]["none"] in page
    assert "<table" not in page


def test_what_is_left_out_is_counted():
    text = visible(page_of(many()))
    assert "There are 418 pairs more" in text
    assert f"The code of the first {PAIRS} pairs is below." in text
    assert f"Shorter places that are not shown: {12 - PARTS + 5}." in text
    assert f"More lines that are not shown: {40 - LINES}." in text


def test_who_had_nothing_or_too_much_to_compare_is_told():
    text = visible(page_of(found(nothing_own=3, cut=("Zoe",))))
    assert "Of 3 students there was no code to compare" in text
    assert "So long that the end was not looked at: Zoe." in text


def test_the_page_is_bounded():
    assert len(page_of(many())) < 4_000_000


def test_what_students_write_is_text():
    page = page_of(hostile())
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "{{ 7*7 }}{% for x in y %}" in page
    assert not Page(page).named("img", "script")


def test_nothing_unseen_is_in_the_page(page):
    assert UNSEEN.search(page) is None


def test_policy_comes_first_and_allows_exactly_the_style(page):
    style = re.search("<style>(.*?)</style>", page, re.DOTALL)[1].encode()
    none = base64.b64encode(hashlib.sha256(b"").digest()).decode()
    policy = Page(page).named("meta")[0]["content"]
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{base64.b64encode(hashlib.sha256(style).digest()).decode()}'; "
        f"script-src 'sha256-{none}'; base-uri 'none'; form-action 'none'"
    )


def test_page_holds_nothing_that_asks_the_network(page):
    read = Page(page)
    attributes = {name for _, each in read.tags for name in each}
    assert not {name for name in attributes if name.startswith("on")} | (attributes & {"style", "src", "srcset"})
    assert not read.named("script", "img", "link", "iframe", "object", "form", "base")


def test_links_lead_somewhere_and_names_are_unique(page):
    read = Page(page)
    ids = [each["id"] for _, each in read.tags if "id" in each]
    anchors = {each["href"].removeprefix("#") for _, each in read.tags if "href" in each}
    assert len(ids) == len(set(ids))
    assert anchors <= set(ids)


def test_headings_are_in_order(page):
    levels = [int(tag[1]) for tag, _ in Page(page).tags if re.fullmatch("h[1-6]", tag)]
    assert levels.count(1) == 1
    assert all(below <= above + 1 for above, below in pairwise(levels))


def test_the_same_pairs_give_the_same_page():
    assert page_of(hostile()) == page_of(hostile())
