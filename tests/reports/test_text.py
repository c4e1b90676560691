"""What is invisible becomes visible, and what is long becomes short and says so."""

import pytest

from reports.text import block, ends, line, number, points, short_points


@pytest.mark.parametrize(
    ("raw", "safe"),
    [
        ("\x1b[31m", "␛[31m"),
        ("\x1b]52;c;QQ==\x07", "␛]52;c;QQ==␇"),
        ("\x9b2J", "⟨U+009B⟩2J"),
        ("\x7f\x00", "␡␀"),
        ("a\u202eb", "a⟨U+202E⟩b"),
        ("a\u2066b", "a⟨U+2066⟩b"),
        ("a\u200bb\ufeff", "a⟨U+200B⟩b⟨U+FEFF⟩"),
        ("\u3164", "⟨U+3164⟩"),
        ("\U000e0041", "⟨U+E0041⟩"),
        ("\ud800", "⟨U+D800⟩"),
        ("\ufffe", "⟨U+FFFE⟩"),
        ("one\ntwo\tthree", "one␊two␉three"),
        ("Zoë 数学 🧪 é", "Zoë 数学 🧪 é"),
    ],
)
def test_line_shows_what_is_invisible(raw: str, safe: str):
    assert line(raw) == safe


def test_long_runs_of_a_mark_are_counted():
    assert line("\u202e" * 100) == "⟨U+202E⟩×100"


def test_a_flood_of_combining_marks_is_tamed():
    assert line("e" + "\u0301" * 100) == "e⟨U+0301⟩×100"


def test_a_lone_carriage_return_is_shown_and_a_windows_line_end_is_not():
    assert block("a\r\nb\rc") == "a\nb␍c"


def test_what_is_cut_is_counted():
    assert line("x" * 1300, limit=10) == "x" * 10 + " … (cut here; 1,290 characters left out)"


def test_a_block_is_cut_to_its_lines():
    assert block("a\nb\nc\nd", lines=2) == "a\nb … (cut here; 4 characters left out)"


def test_ends_keeps_the_start_of_the_head_and_the_end_of_the_tail():
    assert ends("abcdef", "uvwxyz", 2) == ("ab", "yz", 4)


@pytest.mark.parametrize(("value", "shown"), [(7, "7.0"), (2.25, "2.25"), (9.999, "9.99"), (0.1 + 0.2, "0.3")])
def test_points_are_never_rounded_up(value: float, shown: str):
    assert points(value) == shown


def test_short_points_drop_a_needless_zero():
    assert short_points(10.0) == "10"


@pytest.mark.parametrize(
    ("value", "shown"), [(0.00020234, "0.000202"), (None, "–"), (float("nan"), "not a number"), (12345, "12345")]
)
def test_number_has_three_digits(value: object, shown: str):
    assert number(value) == shown
