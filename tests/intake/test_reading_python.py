"""Text of `.py` files."""

import pytest


@pytest.mark.parametrize(
    ("sample", "says"),
    [
        ("utf_16.py", "saved as UTF-16"),
        ("latin_1.py", r"line 2 holds a character of another encoding"),
        ("declares_latin_1.py", "`latin-1`"),
        ("zero_bytes.py", "zero bytes"),
    ],
)
def test_a_file_in_another_encoding_says_how_to_save_it(sample_file, sample, says):
    work = sample_file(sample)
    assert (work.file, work.problem.kind, work.problem.file) == (None, "unreadable", "residual_add.py")
    assert says in work.problem.happened
    assert "UTF-8" in work.problem.next_step


def test_an_unreadable_file_is_recorded_as_passed_by(hand_in):
    submission = hand_in({"residual_add.py": b"\xff\xfex\0", "b.py": "x = 1"})
    assert [one.path for one in submission.skipped] == ["residual_add.py"]


def test_a_byte_order_mark_and_windows_line_ends_are_fine(sample_file):
    work = sample_file("byte_order_mark.py")
    assert (work.problem, work.file.cells[0].source) == (None, "class ResidualAdd:\n    pass\n")


def test_a_comment_that_names_utf8_is_fine(work_for):
    assert work_for({"residual_add.py": "# -*- coding: UTF-8 -*-\nclass ResidualAdd: pass\n"}).problem is None


def test_a_coding_comment_below_the_first_statement_is_only_a_comment(work_for):
    assert work_for({"residual_add.py": "class ResidualAdd: pass\n# coding: latin-1\n"}).problem is None


@pytest.mark.parametrize("text", ["", " \n\t\n", "# nothing yet\n"])
def test_a_file_without_code_is_empty(work_for, text):
    work = work_for({"residual_add.py": text})
    assert (work.file.path, work.problem.kind) == ("residual_add.py", "empty")


def test_the_empty_sample_is_empty(sample_file):
    assert sample_file("only_comments.py").problem.kind == "empty"


def test_a_file_that_is_no_python_is_left_to_the_worker(sample_file):
    work = sample_file("no_python.py")
    assert (work.problem, work.file.kind, work.file.defines) == (None, "py", ("ResidualAdd",))


def test_a_broken_class_line_is_left_to_the_worker(work_for):
    work = work_for({"residual_add.py": "clas ResidualAdd:\n    pass\n"})
    assert (work.problem, work.file.path) == (None, "residual_add.py")


def test_code_nested_beyond_all_measure_is_left_to_the_worker(work_for):
    source = "class ResidualAdd:\n    pass\nx = " + "a" + ".a" * 100_000 + "\n"
    assert work_for({"residual_add.py": source}).problem is None


def test_a_sloppy_escape_gives_no_warning(work_for):
    assert work_for({"residual_add.py": "class ResidualAdd:\n    x = '\\d'\n"}).problem is None


def test_definitions_inside_if_and_try_count(work_for):
    source = "try:\n    import x\nexcept ImportError:\n    if 1:\n        class ResidualAdd: pass\n"
    assert work_for({"a.py": source}).file.defines == ("ResidualAdd",)


def test_definitions_below_the_main_guard_do_not_count(work_for):
    source = "if __name__ == '__main__':\n    class ResidualAdd: pass\n"
    assert work_for({"a.py": source}).problem.kind == "missing"
