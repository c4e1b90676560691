"""The terminal: one line per check, the formula beside the formula, and nothing that steers a terminal."""

import io
import re

import pytest
from rich.console import Console

from reports.terminal.console import show

UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]")


def test_a_missing_shortcut_reads_like_this(sample, shown):
    assert shown(sample("missing_skip"), page="out/page.html").splitlines() == [
        "residual_add  6.0 / 10   Residual connection",
        "  Taken from residual_add.py.",
        "  ✓ passed   The block returns a tensor of the same shape.                2.0 / 2",
        "  ✓ passed   The sublayer gets the normalised input.                      2.0 / 2",
        "  ✗ not yet  The block adds its input back to what the sublayer returns.  0.0 / 3",
        "  ◐ partly   The gradient reaches the input through the shortcut.         2.0 / 3",
        "",
        "  your code computes   F(Norm(x))",
        "  what happened        The block returns what the sublayer returns. Its own input is not in the",
        "                       result.",
        "  expected             x + F(Norm(x))",
        "  where                residual_add.py line 14: return self.dropout(self.sublayer(self.norm(x)))",
        "  next                 Add the input x to the result in line 14, after the dropout.",
        "",
        "page  out/page.html",
        "total  6.0 / 10",
    ]


def test_a_stub_is_told_once(sample, shown):
    text = shown(sample("stub"))
    assert text.count("still holds the stub") == 1
    assert "  – not run  4 checks  0.0 / 10\n" in text
    assert "residual_add.ipynb code cell 3, line 4: raise NotImplementedError" in text


def test_a_formula_we_do_not_know_comes_with_what_happened(sample, shown):
    record = sample("missing_skip")
    record["exercises"][0]["diagnosis"]["formula"]["found"] = None
    text = shown(record)
    assert "  your code computes   not a formula we know\n" in text
    assert "  what happened        The block returns what" in text


def test_a_formula_that_is_right_is_said_to_be(sample, shown):
    record = sample("missing_skip")
    record["exercises"][0]["diagnosis"]["formula"]["found"] = "x + F(Norm(x))"
    text = shown(record)
    assert "  formula is right     x + F(Norm(x))\n" in text
    assert "  what happened        The block returns what" in text
    assert "your code computes" not in text


def test_results_of_a_machine_that_does_not_confine_say_so(sample, shown):
    assert "practice results: this machine" in shown(sample("not_loadable"))
    assert "practice results" not in shown(sample("missing_skip"))


def test_record_from_before_the_level_was_noted_is_for_practice(sample, shown):
    record = sample("missing_skip")
    del record["environment"]["confinement_level"], record["environment"]["unconfined"]
    assert "practice results: this machine" in shown(record)


def test_quiet_leaves_the_last_line(sample, shown):
    text = shown(sample("deep_network"), page="out/page.html", quiet=True)
    assert text == "total  16.0 / 28\n"


@pytest.mark.parametrize("options", [{}, {"no_color": True, "force_terminal": True, "color_system": "truecolor"}])
def test_without_colours_there_are_no_escape_codes(record, shown, options):
    assert "\x1b" not in shown(record, page="out/\x1b[2Jpage.html", **options)


def test_no_color_in_the_environment_is_honoured(sample, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    out = io.StringIO()
    show(sample("missing_skip"), Console(file=out, force_terminal=True), page=None)
    assert "\x1b" not in out.getvalue()


def test_a_terminal_gets_colours_and_the_same_words(sample, shown):
    record = sample("deep_network")
    coloured = shown(record, force_terminal=True, color_system="standard", width=100)
    assert "\x1b[" in coloured
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == shown(record)


def test_nothing_unseen_is_printed(record, shown):
    assert UNSEEN.search(shown(record)) is None


def test_markup_of_a_student_is_text(sample, shown):
    text = "".join(shown(sample("hostile")).split())
    assert "[boldred]loud[/]" in text
    assert ":smile:" in text


def test_staff_and_hidden_evidence_are_not_printed(record, shown):
    text = shown(record)
    assert "STAFF-SECRET" not in text
    assert "HIDDEN-EVIDENCE" not in text


@pytest.mark.parametrize("width", [40, 80])
def test_lines_fit_a_terminal(sample, shown, width):
    record = sample("missing_skip")
    text = shown(record, force_terminal=True, no_color=True, width=width)
    below = text.splitlines()[1:]
    assert max(len(line) for line in below) <= max(width, 52)


def test_an_encoding_without_our_signs_is_no_obstacle(sample):
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="ascii")
    show(sample("missing_skip"), Console(file=out), page=None)
    out.flush()
    assert b"  x not yet  The block adds" in raw.getvalue()
