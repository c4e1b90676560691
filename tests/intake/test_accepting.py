"""`accept`: what the caller may give, what comes back, in which order."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from grader.errors import IntakeError, UsageError
from grader.intake import accept

CLASS = "class ResidualAdd:\n    pass\n"


def test_a_path_that_does_not_exist_is_a_wrong_call(tmp_path, course):
    with pytest.raises(UsageError, match="does not exist"):
        accept(tmp_path / "nothing", course)


def test_a_pipe_is_a_wrong_call(tmp_path, course):
    os.mkfifo(tmp_path / "pipe.py")
    with pytest.raises(UsageError, match="neither a file nor a folder"):
        accept(tmp_path / "pipe.py", course)


def test_an_unknown_exercise_is_answered_with_the_nearest_one(tmp_path, course):
    with pytest.raises(UsageError, match="did you mean `residual_add`"):
        accept(tmp_path, course, only=("residal_ad",))


def test_an_empty_folder_is_refused(tmp_path, course):
    with pytest.raises(IntakeError, match="it is empty"):
        accept(tmp_path, course)


def test_a_folder_without_code_names_what_it_holds(hand_in):
    with pytest.raises(IntakeError, match=r"`report\.docx` \(only .py and .ipynb files are read\)"):
        hand_in({"report.docx": "x"})


def test_a_file_of_another_kind_is_refused(tmp_path, course):
    (tmp_path / "work.docx").write_text("x")
    with pytest.raises(IntakeError, match=r"`work\.docx` cannot be graded"):
        accept(tmp_path / "work.docx", course)


def test_another_kind_of_archive_is_to_be_packed_as_zip(tmp_path, course):
    (tmp_path / "work.rar").write_bytes(b"Rar!")
    with pytest.raises(IntakeError, match=r"Pack it as \.zip"):
        accept(tmp_path / "work.rar", course)


def test_a_folder_gives_works_for_all_exercises_in_the_order_of_the_course(hand_in):
    submission = hand_in({"transformer_block.py": "class TransformerBlock: pass", "residual_add.py": CLASS})
    assert [work.exercise for work in submission.works] == ["residual_add", "deep_network", "transformer_block"]


def test_only_selects_exercises_in_the_order_of_the_course(hand_in):
    submission = hand_in({"residual_add.py": CLASS}, only=("deep_network", "residual_add"))
    assert [work.exercise for work in submission.works] == ["residual_add", "deep_network"]


def test_a_missing_exercise_says_what_was_looked_for(hand_in):
    problem = hand_in({"residual_add.py": CLASS}).works[2].problem
    assert problem.kind == "missing"
    assert "`transformer_block.py`" in problem.happened
    assert "`TransformerBlock`" in problem.happened


def test_the_student_is_handed_through(hand_in):
    assert hand_in({"residual_add.py": CLASS}, student="Ada").student == "Ada"


def test_a_single_file_gives_works_only_for_what_it_answers(tmp_path, course):
    path = tmp_path / "everything.py"
    path.write_text(CLASS + "class TransformerBlock:\n    pass\n")
    assert [work.exercise for work in accept(path, course).works] == ["residual_add", "transformer_block"]


def test_a_single_file_of_the_expected_name_without_the_class_is_a_problem(tmp_path, course):
    path = tmp_path / "residual_add.py"
    path.write_text("def f(): pass\n")
    (work,) = accept(path, course).works
    assert (work.exercise, work.problem.kind) == ("residual_add", "not_defined")


def test_a_single_file_that_answers_nothing_is_refused_with_the_names_looked_for(tmp_path, course):
    path = tmp_path / "other.py"
    path.write_text("def f(): pass\n")
    with pytest.raises(IntakeError, match="Looked for `ResidualAdd`, `DeepNetwork` and `TransformerBlock`"):
        accept(path, course)


def test_a_single_file_without_the_selected_exercise_is_a_problem(tmp_path, course):
    path = tmp_path / "residual_add.py"
    path.write_text(CLASS)
    (work,) = accept(path, course, only=("transformer_block",)).works
    assert work.problem.kind == "missing"


def test_a_single_unreadable_file_of_another_name_is_refused_with_the_reason(tmp_path, course):
    path = tmp_path / "other.ipynb"
    path.write_text("<html>")
    with pytest.raises(IntakeError, match="web page"):
        accept(path, course)


def test_a_single_file_may_be_given_as_a_link(tmp_path, course):
    (tmp_path / "residual_add.py").write_text(CLASS)
    (tmp_path / "link.py").symlink_to("residual_add.py")
    assert accept(tmp_path / "link.py", course).works[0].exercise == "residual_add"


def test_a_single_file_that_is_too_large_is_refused(tmp_path, course):
    (tmp_path / "residual_add.py").write_text("#" * (256 << 10) + "\n")
    with pytest.raises(IntakeError, match="larger than 256 KiB"):
        accept(tmp_path / "residual_add.py", course)


def test_a_course_is_taken_by_its_solutions_without_remarks(hand_in):
    submission = hand_in(
        {
            "course.toml": "",
            "residual_add/solution.py": CLASS,
            "residual_add/mistakes/residual_add.py": CLASS + "# wrong",
            "transformer_block/solution.py": "class TransformerBlock: pass",
        }
    )
    assert [work.file and work.file.path for work in submission.works] == [
        "residual_add/solution.py",
        None,
        "transformer_block/solution.py",
    ]
    assert [work.remarks for work in submission.works] == [(), (), ()]
    assert [file.path for file in submission.files] == ["residual_add/solution.py", "transformer_block/solution.py"]


def test_helpers_are_kept_in_the_order_of_their_paths(hand_in):
    submission = hand_in({"residual_add.py": CLASS, "lib/b.py": "x = 1", "lib/__init__.py": ""})
    assert [file.path for file in submission.files] == ["lib/__init__.py", "lib/b.py", "residual_add.py"]


def test_the_digest_changes_with_a_helper(hand_in):
    before = hand_in({"residual_add.py": CLASS, "b.py": "x = 1"}).digest
    assert before.startswith("sha256:")
    assert hand_in({"b.py": "x = 2"}).digest != before


def test_the_digest_ignores_what_is_not_read(hand_in):
    before = hand_in({"residual_add.py": CLASS}).digest
    assert hand_in({"notes.txt": "x"}).digest == before


def test_too_much_source_is_refused_with_the_figure(hand_in):
    line = "x = 1  # " + "." * 990 + "\n"
    with pytest.raises(IntakeError, match="4 million characters"):
        hand_in({f"{number}.py": line * 250 for number in range(20)})


@pytest.mark.parametrize("settings", [{}, {"PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}])
def test_names_are_read_alike_in_the_c_locale(tmp_path, settings):
    (tmp_path / "Übung größe.py").write_text(CLASS)
    code = (
        "import sys\nfrom pathlib import Path\nfrom grader.intake.folder import read_folder\n"
        "print(ascii(list(read_folder(Path(sys.argv[1])).files)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        env={"LC_ALL": "C", "PYTHONPATH": str(Path(__file__).parents[2]), **settings},
        capture_output=True,
        check=True,
    )
    assert done.stdout.decode().strip() == ascii(["Übung größe.py"])


def test_intake_loads_neither_torch_nor_nbformat():
    code = "import sys, grader.intake\nprint([name for name in ('torch', 'nbformat', 'click') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[2], capture_output=True, check=True)
    assert done.stdout.strip() == b"[]"
