"""Which file answers an exercise when names and contents do not agree."""

import json

import pytest

CLASS = "class ResidualAdd:\n    def forward(self, x):\n        return x\n"
OTHER = CLASS.replace("return x", "return x + x")
STUB = CLASS.replace("return x", "raise NotImplementedError")
GIVEN = "    def __init__(self):\n        self.a = 1\n"
STUB_WITH_GIVEN_LINES = STUB + GIVEN


def notebook(source):
    return json.dumps({"cells": [{"cell_type": "code", "source": source}], "nbformat": 4})


def test_the_expected_name_needs_no_remark(work_for):
    work = work_for({"residual_add.py": CLASS, "a.py": OTHER})
    assert (work.file.path, work.remarks) == ("residual_add.py", ())


def test_the_expected_name_may_be_written_in_capitals(work_for):
    assert work_for({"Residual_Add.PY": CLASS}).remarks == ()


def test_a_renamed_file_is_found_and_remarked(work_for):
    work = work_for({"my block ü.py": CLASS})
    assert (work.file.path, work.problem) == ("my block ü.py", None)
    assert work.remarks == ("`my block ü.py` was taken for residual_add because it defines `ResidualAdd`.",)


@pytest.mark.parametrize("name", ["residual_add (1).py", "residual_add-2.py", "residual_add(3).ipynb"])
def test_a_name_changed_by_a_download_counts_as_renamed(work_for, name):
    work = work_for({name: notebook(CLASS) if name.endswith("ipynb") else CLASS, "a.py": CLASS})
    assert work.file.path == name
    assert "was taken for residual_add" in work.remarks[0]


def test_among_other_names_the_shallowest_and_then_the_first_counts(work_for):
    work = work_for({"deep/a.py": CLASS, "c.py": CLASS, "b.py": OTHER})
    assert work.file.path == "b.py"
    assert work.remarks[1] == "`c.py` and `deep/a.py` define `ResidualAdd` too and did not count."


def test_the_same_code_in_both_forms_needs_no_remark(work_for):
    work = work_for({"residual_add.py": CLASS, "residual_add.ipynb": notebook("# note\n" + CLASS)})
    assert (work.file.path, work.remarks) == ("residual_add.py", ())


def test_different_code_in_both_forms_counts_as_py_with_a_remark(work_for):
    work = work_for({"residual_add.py": CLASS, "residual_add.ipynb": notebook(OTHER)})
    assert work.file.path == "residual_add.py"
    assert "`residual_add.ipynb` holds other code" in work.remarks[0]


@pytest.mark.parametrize("stub", [STUB, STUB_WITH_GIVEN_LINES])
def test_a_filled_in_notebook_wins_over_the_untouched_py(work_for, stub):
    work = work_for({"residual_add.py": stub, "residual_add.ipynb": notebook(CLASS)})
    assert (work.file.path, work.problem) == ("residual_add.ipynb", None)


def test_a_filled_in_py_wins_over_the_untouched_notebook(work_for):
    work = work_for({"residual_add.py": CLASS, "residual_add.ipynb": notebook(STUB)})
    assert (work.file.path, work.remarks) == ("residual_add.py", ())


def test_setting_an_unfinished_file_aside_is_remarked(work_for):
    work = work_for({"residual_add.py": STUB_WITH_GIVEN_LINES, "residual_add.ipynb": notebook(CLASS)})
    assert work.remarks == ("`residual_add.py` was set aside, because `raise NotImplementedError` still stands in it.",)


def test_a_filled_in_renamed_file_wins_over_the_untouched_stub(work_for):
    assert work_for({"residual_add.py": STUB, "residual_add (1).py": CLASS}).file.path == "residual_add (1).py"


def test_if_all_are_stubs_the_py_is_named(work_for):
    work = work_for({"residual_add.ipynb": notebook(STUB), "residual_add.py": STUB})
    assert (work.file.path, work.problem.kind) == ("residual_add.py", "stub")


def test_one_notebook_may_answer_several_exercises(hand_in):
    works = hand_in({"homework.ipynb": notebook(CLASS + "class TransformerBlock: pass\n")}).works
    assert [work.file and work.file.path for work in works] == ["homework.ipynb", None, "homework.ipynb"]


def test_a_class_defined_by_assignment_is_found(work_for):
    assert work_for({"a.py": "class Block: pass\nResidualAdd = Block\n"}).problem is None


def test_the_expected_file_may_import_the_class_from_a_helper(work_for):
    work = work_for({"residual_add.py": "from helper import ResidualAdd\n", "helper.py": CLASS})
    assert (work.file.path, work.remarks) == ("residual_add.py", ())


def test_another_file_that_imports_the_class_is_no_candidate(work_for):
    assert work_for({"main.py": "from residual_add import ResidualAdd\n"}).problem.kind == "missing"


def test_a_misspelled_class_is_told_how_to_rename_it(work_for):
    work = work_for({"residual_add.py": CLASS.replace("ResidualAdd", "Residual_Add") + "class B: pass"})
    assert (work.file.path, work.problem.kind) == ("residual_add.py", "not_defined")
    assert "defines `Residual_Add`; the exercise asks for `ResidualAdd`" in work.problem.happened


def test_the_only_class_in_the_expected_file_is_told_how_to_rename_it(work_for):
    problem = work_for({"residual_add.py": "class Block: pass"}).problem
    assert problem.next_step == "Rename the class `Block` to `ResidualAdd` and hand it in again."


def test_several_other_classes_are_named(work_for):
    problem = work_for({"residual_add.py": "class A: pass\nclass B: pass\n"}).problem
    assert "does not define the class `ResidualAdd`; it defines `A` and `B`" in problem.happened


def test_a_misspelled_class_is_found_in_a_file_of_another_name(work_for):
    work = work_for({"work.py": "class ResidualAd: pass"})
    assert (work.file.path, work.problem.kind) == ("work.py", "not_defined")


def test_the_class_of_another_exercise_is_never_taken_for_a_misspelling(work_for):
    problem = work_for({"residual_add.py": "class TransformerBlock: pass"}).problem
    assert "Rename" not in problem.next_step


def test_a_file_that_ends_in_txt_is_mentioned(work_for):
    problem = work_for({"residual_add.py.txt": CLASS, "a.py": "x = 1"}).problem
    assert problem.kind == "missing"
    assert problem.next_step == "Rename `residual_add.py.txt` to `residual_add.py` and hand it in again."


def test_an_unreadable_notebook_beside_a_stub_is_mentioned(work_for):
    work = work_for({"residual_add.py": STUB, "residual_add.ipynb": '{"cells": ['})
    assert work.problem.kind == "stub"
    assert "cut off" in work.remarks[0]


def test_a_missing_exercise_mentions_a_file_that_could_not_be_read(work_for):
    problem = work_for({"work.ipynb": '{"cells": [', "a.py": "x = 1"}).problem
    assert problem.kind == "missing"
    assert "`work.ipynb` is cut off" in problem.happened


def test_long_and_odd_names_are_cut_in_sentences(work_for):
    problem = work_for({"residual_add.py": f"class {'A' * 500}: pass\nclass {'B' * 500}: pass\n"}).problem
    assert len(problem.happened) < 250
