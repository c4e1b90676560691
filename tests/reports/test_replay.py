"""What a forward made, beside the steps of the exercise; and the lines of a file around a place."""

import pytest

from reports.student.frame import frame
from reports.student.replay import replay


def steps(sample, at):
    (shown,) = replay(sample("second_attempt")["exercises"][at]["trace"])
    return shown


@pytest.mark.parametrize("trace", [[], None])
def test_without_a_trace_there_is_no_replay(trace):
    assert replay(trace or []) == ()


def test_the_first_difference_is_marked_beside_what_the_exercise_has(sample):
    shown = steps(sample, 1)
    assert [row.kind for row in shown.rows] == ["same"] * 8 + ["differs"]
    assert shown.jump == (8,)
    assert shown.note == "The first difference is in step 9."
    (expected,) = shown.rows[8].expected
    assert expected == "The exercise has y = h + F(Norm2(h)) here: shape 1×4×8, mean 0.0454, deviation 1.15."


def test_a_step_that_the_code_never_makes_is_a_row(sample):
    row = steps(sample, 0).rows[2]
    assert (row.kind, row.made, row.numbers) == ("never", "not made by your code", ("–", "–", "–"))
    assert row.standing == ("✗ this step is missing",)


def test_a_line_of_source_is_shown_once(sample):
    shown = [row.code for row in steps(sample, 1).rows]
    assert [len(code) for code in shown] == [0, 1, 0, 0, 1, 1, 0, 0, 1]


def test_values_of_ones_own_are_called_so_and_nothing_is_wrong_with_them(sample):
    trace = sample("second_attempt")["exercises"][1]["trace"][:3]
    trace[1]["step"] = None
    (shown,) = replay(trace)
    assert shown.rows[1].standing == ("a value of your own",)
    assert shown.note == "Every step of the exercise is there, with the same numbers."
    assert shown.jump == ()


def test_a_long_replay_is_cut_and_counted(sample):
    trace = sample("second_attempt")["exercises"][1]["trace"]
    (shown,) = replay(trace[:1] * 100)
    assert len(shown.rows) == 60
    assert shown.note.endswith("and 40 more")


def text(shown):
    return ["".join(part.text for part in one.parts) for one in shown.lines]


@pytest.mark.parametrize(
    "source",
    ["a\n\nb", "\n\n", "def f(:\n\t'''x\ny", "x = '''\n'''\nz", "\\\n\\\n'", "a\r\nb\rc", "\x0c\n\x0b", "é\u2028\n"],
)
def test_lines_keep_their_count_whatever_the_source_is(source):
    (shown,) = frame({"line": 2, "frame": source, "frame_starts": 1})
    assert len(shown.lines) == source.count("\n") + 1
    assert all("\n" not in one and "\r" not in one for one in text(shown))


def test_unseen_characters_are_marks_and_long_lines_are_cut():
    (shown,) = frame({"line": 1, "frame": "a\u202eb\x1b" + "\n" + "x" * 500, "frame_starts": 1})
    assert text(shown)[0] == "a⟨U+202E⟩b␛"
    assert "340 characters left out" in text(shown)[1]


def test_the_line_that_is_meant_is_marked():
    (shown,) = frame({"line": 8, "frame": "a\nb\nc", "frame_starts": 7})
    assert [(one.number, one.kind) for one in shown.lines] == [("7", "row"), ("8", "row here"), ("9", "row")]


def test_code_is_coloured():
    (shown,) = frame({"line": 1, "frame": "return 'a'  # b", "frame_starts": 1})
    assert [(part.kind, part.text) for part in shown.lines[0].parts] == [
        ("k", "return "),
        ("s", "'a'  "),
        ("c", "# b"),
    ]


def test_a_record_without_a_frame_shows_its_line():
    (shown,) = frame({"line": 4, "code": "  x = 1 "})
    assert [(one.number, one.kind) for one in shown.lines] == [("4", "row")]
    assert text(shown) == ["x = 1"]
    assert frame({"line": 0, "code": ""}) == ()
