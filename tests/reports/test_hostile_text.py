"""Text of strangers on its way to people: inert in a terminal, a CI log, a JSON file, a spreadsheet and on a page."""

import csv
import io
import json
import re

import pytest

from reports.html import student_page
from reports.text import block, csv_cell, json_text, line, log, log_row

COMMANDS = [
    "::error::x",
    "  ::set-output name=a::b",
    "\t::add-mask::x",
    "::stop-commands::token",
    "##[error]x",
    "a ##[group]x",
    "##vso[task.setvariable variable=a]b",
    "text ##VSO[task.complete result=Succeeded;]x",
    "##teamcity[buildStatus text='x']",
    "section_start:1560896352:a[collapsed=true]\r\x1b[0Kx",
    "\x1b]0;title\x07",
    "\x1b]52;c;QQ==\x07",
    "\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\",
    "\x9b2J",
    "a\r::error::x",
    "a\x0b::error::x",
    "a\u2028::error::x",
]
STEERS = re.compile("^\\s*::|##\\w*\\[|[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]", re.MULTILINE)


@pytest.mark.parametrize("text", COMMANDS)
def test_a_log_has_no_command_in_it(text):
    assert not STEERS.search(log(text, lead=""))
    assert not STEERS.search(log(f"two\n{text}", lead="grade: "))


def test_a_log_keeps_what_is_no_command():
    assert log("a::b ## [c] #[d]\n  e", lead="grade: ") == "grade: a::b ## [c] #[d]\n  e"


def test_a_command_is_kept_from_acting_and_can_still_be_read():
    assert log_row("  ::error::x ##vso[y]") == "|   ::error::x ## vso[y]"


def hostile(record, text):
    """The record with the text in every place that a submission can write to."""
    exercise = record["exercises"][0]
    record["submission"]["student"] = text
    record["submission"]["skipped"] = [{"path": text, "reason": text}]
    record["submission"]["files"] = [{"path": text, "digest": "sha256:0"}]
    place = {"file": text, "cell": 1, "line": 1, "code": text, "frame": f"{text}\n{text}", "frame_starts": 1}
    exercise["trace"] = [traced(text, None), traced(text, {"step": text, "shape": [1], "mean": 0.0, "std": 0.0})]
    exercise["gradients"] = {"caption": text, "layers": [text], "series": [{"name": text, "values": [1.0]}]}
    exercise |= {"remarks": [text], "printed": {"head": text, "tail": "", "characters": len(text)}}
    for told in (exercise["diagnosis"], *(check for check in exercise["checks"] if check["verdict"] != "passed")):
        told |= {"happened": text, "expected": text, "where": place}
        told["formula"] = {"found": text, "expected": text, "residual": 1.0, "half": None}
    exercise["diagnosis"]["next_step"] = text
    exercise["checks"][0] |= {"remarks": [text], "hints": [text]}
    return record


def traced(text, expected):
    """A row of a replay with the text wherever text can stand."""
    return {"file": text, "cell": 1, "line": 1, "code": text, "made": text, "shape": [1, 2], "mean": 0.0, "std": 1.0,
            "step": text, "expected": expected}  # fmt: skip


@pytest.mark.parametrize("text", COMMANDS)
@pytest.mark.parametrize("width", [None, 30, 44, 80])
def test_a_terminal_shows_no_command_at_the_start_of_a_line(sample, shown, text, width):
    options = {} if width is None else {"force_terminal": True, "no_color": True, "width": width}
    rows = shown(hostile(sample("missing_skip"), text), page=text, **options).split("\n")
    assert not [row for row in rows if STEERS.search(row)]


def test_a_command_that_wrapping_brings_to_the_start_of_a_line_is_kept_from_acting(sample, shown):
    text = " ".join("word"[: length % 5] + "::error::x" for length in range(400))
    for width in range(40, 100):
        options = {"force_terminal": True, "no_color": True, "width": width}
        rows = shown(hostile(sample("missing_skip"), text), **options).split("\n")
        assert not [row for row in rows if STEERS.search(row)]


@pytest.mark.parametrize("text", [*COMMANDS, "\u202e", "\u200b", "\U000e0041", "\ufeff", 'q" \\ ##[', "\\u0023#["])
def test_json_means_the_same_and_steers_nothing(text):
    data = json.dumps({text: [text]}, ensure_ascii=False, indent=2).encode()
    safe = json_text(data)
    assert json.loads(safe) == json.loads(data)
    assert not STEERS.search(safe.decode())
    assert not re.search("[\u200b\u202e\ufeff\U000e0041]", safe.decode())


def test_json_of_ordinary_text_is_unchanged():
    data = json.dumps("x + F(Norm(x)) · größe 数学 🧪 ## [a]", ensure_ascii=False).encode()
    assert json_text(data) == data


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("e" + "\u0e47" * 50, "e⟨U+0E47⟩×50"),
        ("e" + "\u20dd" * 50, "e⟨U+20DD⟩×50"),
        ("a\ufe01b", "a⟨U+FE01⟩b"),
        ("❤\ufe0f 1\ufe0f\u20e3 คู่ हिन्दी", "❤\ufe0f 1\ufe0f\u20e3 คู่ हिन्दी"),
    ],
)
def test_marks_that_pile_up_or_carry_hidden_text_are_shown(text, shown):
    assert line(text) == shown


@pytest.mark.parametrize("char", ["\ufdfd", "\U0001f9ea", "\u0301", "\u200d", "\n", "\x1b"])
def test_a_flood_of_any_kind_is_bounded(char):
    assert len(block(char * 1_000_000)) < 2_000


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "+1+1",
        "-1+1",
        "@SUM(A1)",
        "\t=1",
        "\r=1",
        "\n=1",
        "  =1",
        '"=1',
        "'=1",
        "=cmd|' /C calc'!A0",
        "|cmd",
        "%0A-1",
        "＝1+1",
        "－1+x",
        "a;=1+1",
        'a; "=1+1',
        "-",
        "-1e5x",
    ],
)
def test_no_cell_starts_a_formula_however_the_line_is_split(text):
    line_of_csv = io.StringIO()
    csv.writer(line_of_csv).writerow(["x", csv_cell(text), 1])
    cells = re.split("[,;\t]", line_of_csv.getvalue())
    assert not [cell for cell in cells if re.match(r"[\s\"]*[=+\-@|%＝＋－＠]", cell)]


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        (-1.5, "-1.5"),
        (7, "7"),
        ("-3.5", "-3.5"),
        ("+1e-9", "+1e-9"),
        ("-1,5", "-1,5"),
        ("50%", "50%"),
        (None, ""),
        (True, "True"),
        (float("-inf"), "not a number"),
        ("x + F(Norm(x)); y = h", "x + F(Norm(x)); y = h"),
        ("Zoë, O'Neill", "Zoë, O'Neill"),
        ("a\nb\x1b", "a␊b␛"),
    ],
)
def test_numbers_and_ordinary_text_stay_as_they_are(value, cell):
    assert csv_cell(value) == cell


@pytest.mark.parametrize(
    "text",
    [
        "</script><script>alert(1)</script>",
        '"><img src=x onerror=alert(1)>',
        "' onmouseover='alert(1)",
        "</pre></style></title><svg onload=alert(1)>",
        "<!--<script>",
        "]]><a href=javascript:alert(1)>x</a>",
        "&lt;script&gt; &#x3c;b&#x3e;",
        "{{ 7*7 }}{% raw %}",
    ],
)
def test_no_markup_gets_into_the_page_from_any_place(sample, text):
    ordinary = tags(student_page(hostile(sample("second_attempt"), "plain")))
    assert tags(student_page(hostile(sample("second_attempt"), text))) <= ordinary | COLOURED


COLOURED = {("span", "class", kind) for kind in ("k", "s", "c", "n", "f", "")}


def tags(page):
    """Elements with the names of their attributes, and the classes that they have."""
    found = set()
    for tag, written in re.findall(r"<(\w+)((?:\s[^<>]*)?)>", page.partition("<body>")[2].partition("<script>")[0]):
        attributes = dict(re.findall(r'([\w-]+)="([^"]*)"', written))
        found |= {(tag, name, attributes[name] if name == "class" else "") for name in attributes} | {(tag, "", "")}
    return found
