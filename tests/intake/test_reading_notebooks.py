"""Notebooks: what is read of them, and every way in which they arrive broken."""

import json

import pytest

CLASS = "class ResidualAdd:\n    def forward(self, x):\n        return x\n"


def notebook(*sources):
    cells = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": source} for source in sources]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


@pytest.mark.parametrize(
    "sample",
    [
        "notebook.ipynb",
        "no_kernelspec_no_ids_no_metadata.ipynb",
        "unknown_kernel.ipynb",
        "duplicate_ids.ipynb",
        "with_byte_order_mark.ipynb",
        "format_3.ipynb",
        "invalid_but_sloppy.ipynb",
    ],
)
def test_an_odd_notebook_is_read(sample_file, sample):
    work = sample_file(sample)
    assert work.problem is None
    assert CLASS in [cell.source for cell in work.file.cells]


@pytest.mark.parametrize(
    ("sample", "says"),
    [
        ("truncated.ipynb", "cut off"),
        ("web_page.ipynb", "web page"),
        ("no_json.ipynb", "damaged"),
        ("json_but_no_notebook.ipynb", "not a Jupyter notebook"),
        ("json_list.ipynb", "not a Jupyter notebook"),
        ("zero_bytes_long.ipynb", "empty file"),
        ("half_a_character.ipynb", "no text"),
    ],
)
def test_a_broken_notebook_is_a_problem_in_one_sentence(sample_file, sample, says):
    work = sample_file(sample)
    assert (work.file, work.problem.kind) == (None, "unreadable")
    assert says in work.problem.happened


@pytest.mark.parametrize("share", range(5, 100, 5))
def test_a_notebook_cut_off_anywhere_says_so(work_for, sample, share):
    whole = sample("notebook.ipynb").rstrip().encode()
    assert "cut off" in work_for({"residual_add.ipynb": whole[: len(whole) * share // 100]}).problem.happened


def test_json_nested_too_deeply_is_a_problem(work_for):
    text = '{"cells": ' + "[" * 100_000
    assert "nested too deeply" in work_for({"residual_add.ipynb": text}).problem.happened


def test_json_of_countless_parts_is_a_problem(work_for):
    text = '{"cells": [' + "[]," * 1_000_001 + "1]}"
    assert "too many parts" in work_for({"residual_add.ipynb": text}).problem.happened


def test_a_number_without_end_is_a_problem(work_for):
    text = '{"cells": [' + "1" * 5_000 + "]}"
    assert "number that is too long" in work_for({"residual_add.ipynb": text}).problem.happened


def test_more_than_2000_cells_are_a_problem(work_for):
    assert "2,000 cells" in work_for({"residual_add.ipynb": notebook(*["x = 1"] * 2001)}).problem.happened


def test_more_than_1_mib_of_code_is_a_problem(work_for):
    assert "1 MiB" in work_for({"residual_add.ipynb": notebook("#" * ((1 << 20) + 1))}).problem.happened


def test_a_notebook_without_code_is_empty(sample_file):
    assert sample_file("without_code.ipynb").problem.kind == "empty"


def test_cells_are_numbered_among_the_code_cells_with_the_empty_ones(sample_file):
    assert [cell.number for cell in sample_file("notebook.ipynb").file.cells] == [1, 3]


@pytest.fixture
def cells(sample_file):
    return {cell.number: cell.source for cell in sample_file("magics.ipynb").file.cells}


def test_magics_at_the_margin_leave_blank_lines(cells):
    assert cells[1] == "\nimport torch\n\n"


def test_every_kind_of_line_is_left_out_and_lines_stay_where_they_were(cells):
    assert cells[2] == "if True:\n    pass\n\n\n\n\ny = 5 \\\n  % 3\n"


def test_what_looks_like_magic_in_strings_and_brackets_stays(cells):
    assert cells[3] == "text = '''\n%x is no magic here\n!neither\n'''\nz = (7\n  % 4)\n"


def test_a_cell_that_is_python_stays_as_it_is(cells):
    assert cells[4] == "text = '''\n%matplotlib inline\n'''\n"


def test_a_timed_cell_loses_its_first_line_only(cells):
    assert cells[5] == "\n" + CLASS


def test_a_cell_in_another_language_is_left_out_whole(cells, sample_file):
    assert 6 not in cells
    assert "Hidden" not in sample_file("magics.ipynb").file.defines


def test_a_shell_line_is_left_out_with_its_continuations(cells):
    assert cells[7] == "\n\n\nafter = 1\n"


def test_magics_below_a_cell_magic_are_left_out_too(cells):
    assert cells[8] == "\n\nq = 1\n"


def test_what_was_left_out_is_noted_by_cell(sample_file):
    notes = sample_file("magics.ipynb").file.notes
    assert notes[:2] == ("cell 1: `%matplotlib inline` was left out", "cell 1: `!pip install torch` was left out")


def test_notes_are_cut_and_counted(work_for):
    notes = work_for({"residual_add.ipynb": notebook(CLASS, *["!echo " + "x" * 100] * 25)}).file.notes
    assert len(notes) == 21
    assert notes[-1] == "… and 5 more"
    assert len(notes[0]) == len("cell 2: `` was left out") + 60


def test_a_cell_with_an_error_does_not_hide_the_others(work_for):
    assert work_for({"residual_add.ipynb": notebook("def (:", CLASS)}).problem is None
