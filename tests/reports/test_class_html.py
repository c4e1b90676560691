"""The pages of a class: complete, closed to the network, and deaf to what students are called."""

import base64
import copy
import hashlib
import os
import re
from itertools import pairwise

import pytest
from class_records import changed, class_of_twelve, record, sample, with_verdict
from test_html import GOLDEN, UNSEEN, Page

from reports.classroom.html import made_again
from reports.classroom.roster import roster
from reports.classroom.view import Asked

OVERRIDES = (
    "student,exercise,check,points,reason,by\n"
    "Ada L.,residual_add,adds_the_input_back,3,The shortcut is in another method.,MK\n"
    "Zoe,residual_add,adds_the_input_back,3,Not in this class.,MK\n"
)
LESSONS = {
    "missing-skip": {
        "title": "The input is not added back",
        "sentence": "Your code returns what the sublayer made.",
        "why": "Gradients shrink from layer to layer.",
        "hint": "What should come out if the sublayer returns zeros?",
    }
}
HOSTILE = (
    "<script>alert(1)</script>",
    "{{ 7*7 }}{% for x in y %}",
    '"><img src=x onerror=alert(1)>',
    "\u202eevil\u200b\x1b[31m",
    "../../../etc/passwd",
    "=HYPERLINK(1)",
    "x" * 5000,
    "',); DROP TABLE",
    "a\nb\rc",
    "&lt;b&gt;",
    "</style></script><h1>",
    "javascript:alert(1)",
)


def pages(stored=None, overrides=OVERRIDES, **asked):
    students, problems = changed(stored or class_of_twelve(), overrides)
    asked = {"lessons": LESSONS, "not_applied": problems, "broken": (("x/eve.json", "It is broken."),), **asked}
    made = made_again(students, Asked(**asked), of_a_class=True)
    return {name: text.decode() for name, text in made.files.items()}


def hostile_class():
    """Everything that a student chooses is hostile: the name, files, formulas, messages."""
    made = []
    for at, name in enumerate(HOSTILE):
        one = record("missing_skip", name)
        exercise = one["exercises"][0]
        exercise["file"] = one["submission"]["files"][0]["path"] = f"{name}.py"
        one["submission"]["files"][0]["digest"] = "sha256:same"
        exercise["diagnosis"] |= {"happened": name, "tag": name}
        exercise["diagnosis"]["formula"]["found"] = HOSTILE[at // 2 * 2]
        exercise["diagnosis"]["where"] |= {"code": name, "file": f"{name}.py"}
        exercise["checks"][3]["happened"] = name
        made.append((f"{name}.json", with_verdict(one, "needs_review") if at % 2 else one))
    return made


@pytest.fixture(scope="module", params=["named", "anonymous", "hostile", "few"])
def page(request):
    made = {
        "named": pages,
        "anonymous": lambda: pages(anonymous=True),
        "hostile": lambda: pages(hostile_class()),
        "few": lambda: pages(class_of_twelve()[:2], overrides=""),
    }
    return made[request.param]()["class.html"]


def test_page_is_as_it_was():
    """After an intended change: GOLDEN=write pytest tests/reports, and read the diff."""
    made, golden = pages()["class.html"], GOLDEN / "class.html"
    if os.environ.get("GOLDEN") == "write":
        golden.write_text(made, encoding="utf-8")
    assert made == golden.read_text(encoding="utf-8")


def test_policy_comes_first_and_allows_exactly_style_and_script(page):
    digests = [
        base64.b64encode(hashlib.sha256(re.search(f"<{tag}>(.*?)</{tag}>", page, re.DOTALL)[1].encode()).digest())
        for tag in ("style", "script")
    ]
    policy = Page(page).named("meta")[0]
    assert policy["http-equiv"] == "Content-Security-Policy"
    style, script = (digest.decode() for digest in digests)
    assert policy["content"] == (
        f"default-src 'none'; style-src 'sha256-{style}'; script-src 'sha256-{script}'; "
        "base-uri 'none'; form-action 'none'"
    )


def test_page_holds_nothing_that_asks_the_network(page):
    read = Page(page)
    names = {name for _, attributes in read.tags for name in attributes}
    links = [attributes["href"] for _, attributes in read.tags if "href" in attributes]
    assert not {name for name in names if name.startswith("on")} | (names & {"style", "src", "srcset", "action"})
    assert len(read.named("script")) == 1
    assert not read.named("img", "link", "iframe", "object", "form", "base")
    assert all(re.fullmatch(r"#[a-z0-9-]+|students/[a-z0-9-]+\.html", link) for link in links)


def test_links_lead_somewhere_and_names_are_unique(page):
    read = Page(page)
    ids = [attributes["id"] for _, attributes in read.tags if "id" in attributes]
    anchors = {attributes["href"][1:] for _, attributes in read.tags if attributes.get("href", "").startswith("#")}
    assert len(ids) == len(set(ids))
    assert anchors <= set(ids)


def test_every_student_has_a_page():
    made = pages()
    linked = set(re.findall(r'href="(students/[^"]+)"', made["class.html"]))
    assert linked == made.keys() - {"class.html"}
    assert len(linked) == 12


def test_sections_are_in_order():
    ids = re.findall(r'<(?:section|footer) id="([a-z]+)"', pages()["class.html"])
    assert ids == ["attention", "distribution", "checks", "misconceptions", "students", "overrides", "run"]


def test_headings_are_in_order(page):
    levels = [int(tag[1]) for tag, _ in Page(page).tags if re.fullmatch("h[1-6]", tag)]
    assert levels.count(1) == 1
    assert levels[0] == 1
    assert all(below <= above + 1 for above, below in pairwise(levels))


def test_tables_have_captions_and_scopes(page):
    read = Page(page)
    assert len(read.named("table")) == len(read.named("caption"))
    assert all(header.get("scope") in {"row", "col"} for header in read.named("th"))


def test_charts_are_told_in_words():
    made = pages()["class.html"]
    images = [svg for svg in Page(made).named("svg") if "aria-hidden" not in svg]
    assert [svg["role"] for svg in images] == ["img"]
    assert "60–70 %: 7 students." in made


def test_nothing_unseen_is_in_the_page(page):
    assert UNSEEN.search(page) is None


def test_what_students_are_called_is_text():
    made = pages(hostile_class())
    page = made["class.html"]
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "{{ 7*7 }}{% for x in y %}" in page
    assert "<img" not in page
    assert len(page) < 200_000
    assert all(re.fullmatch(r"class\.html|students/[a-z0-9-]+\.html", name) for name in made)


def test_points_changed_by_hand_are_listed_with_reasons():
    made = pages()
    assert "The shortcut is in another method." in made["class.html"]
    assert "row 3: no record is of a student “Zoe”" in made["class.html"]
    (ada,) = (text for name, text in made.items() if name.startswith("students/ada-l-"))
    assert "Points changed by hand from 0 to 3 by MK: The shortcut is in another method." in ada


def test_in_an_anonymous_class_no_page_and_no_file_name_holds_a_name():
    names = [one["submission"]["student"] for _, one in class_of_twelve()]
    named = "\n".join(f"{name}\n{text}" for name, text in pages(anonymous=True).items())
    hidden = [*names, "Zoe", "eve.json"]
    assert not [name for name in hidden if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", named, re.IGNORECASE)]


@pytest.mark.parametrize(
    ("part", "value"),
    [("gradients", {"layers": 3, "series": 4}), ("gradients", {"layers": ["a"], "series": [{"name": "x"}]})],
)
def test_a_record_that_no_page_can_be_made_of_is_left_out_and_told(part, value):
    stored = copy.deepcopy(class_of_twelve())
    stored[5][1]["exercises"][0][part] = value
    made = made_again(roster(stored), Asked(), of_a_class=True)
    assert len(made.files) == 12
    assert made.problems[0].startswith("Femi: Its record is not as this grader writes records")
    assert "Femi: Its record is not as" in made.files["class.html"].decode()


def test_the_page_of_one_record_is_made_again():
    made = made_again(roster([("grade.json", sample("missing_skip"))]), Asked(), of_a_class=False)
    assert list(made.files) == ["report.html"]
    assert b"F(Norm(x))" in made.files["report.html"]


def test_the_same_records_give_the_same_pages():
    assert pages(list(reversed(class_of_twelve()))) == pages()
