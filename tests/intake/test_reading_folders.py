"""What is read of a folder and what is passed by."""

import os
import unicodedata

import pytest

from grader.errors import IntakeError
from grader.intake import accept

CLASS = "class ResidualAdd:\n    pass\n"


def reasons(submission):
    return {one.path: one.reason for one in submission.skipped}


@pytest.mark.parametrize(
    ("folder", "reason"),
    [
        ("__MACOSX", "macOS"),
        (".ipynb_checkpoints", "Jupyter"),
        ("__pycache__", "Python itself"),
        (".git", "hidden folder"),
        ("site-packages", "installed packages"),
        ("node_modules", "installed packages"),
    ],
)
def test_a_junk_folder_is_passed_by_and_recorded_once(hand_in, folder, reason):
    submission = hand_in({"residual_add.py": CLASS, f"a/{folder}/x.py": CLASS, f"a/{folder}/b/y.py": CLASS})
    assert [file.path for file in submission.files] == ["residual_add.py"]
    assert list(reasons(submission)) == [f"a/{folder}"]
    assert reason in reasons(submission)[f"a/{folder}"]


def test_a_virtual_environment_is_passed_by(hand_in):
    submission = hand_in({"residual_add.py": CLASS, "env/pyvenv.cfg": "", "env/lib/torch.py": CLASS})
    assert reasons(submission) == {"env": "a virtual environment: installed packages"}


@pytest.mark.parametrize("name", ["._residual_add.py", ".DS_Store", ".hidden.py"])
def test_hidden_files_are_passed_by(hand_in, name):
    submission = hand_in({"residual_add.py": CLASS, name: CLASS})
    assert list(reasons(submission)) == [name]


def test_a_copy_of_the_building_blocks_is_passed_by(hand_in):
    submission = hand_in({"residual_add.py": CLASS, "previous_chapters.py": CLASS})
    assert reasons(submission) == {"previous_chapters.py": "the course's own copy is used"}


def test_a_linked_file_is_not_followed(tmp_path, hand_in):
    (tmp_path / "secret.py").write_text(CLASS)
    hand_in({"residual_add.py": CLASS})
    (tmp_path / "handed in" / "linked.py").symlink_to(tmp_path / "secret.py")
    assert "links are not followed" in reasons(hand_in({}))["linked.py"]


def test_a_linked_folder_is_not_followed(tmp_path, hand_in):
    hand_in({"residual_add.py": CLASS})
    (tmp_path / "handed in" / "loop").symlink_to(tmp_path, target_is_directory=True)
    assert "links are not followed" in reasons(hand_in({}))["loop"]


def test_a_pipe_does_not_make_the_reader_wait(tmp_path, hand_in):
    hand_in({"deep_network.py": "class DeepNetwork: pass"})
    os.mkfifo(tmp_path / "handed in" / "residual_add.py")
    submission = hand_in({})
    assert reasons(submission) == {"residual_add.py": "not a plain file"}
    assert submission.works[0].problem.kind == "unreadable"


def test_a_py_file_over_256_kib_is_a_problem_of_its_exercise(hand_in):
    submission = hand_in({"residual_add.py": "#" * (256 << 10) + "\n", "b.py": "x = 1"})
    assert submission.works[0].problem.kind == "unreadable"
    assert "larger than 256 KiB" in submission.works[0].problem.happened


def test_a_notebook_may_be_larger_than_a_py_file(hand_in, sample):
    submission = hand_in({"residual_add.ipynb": sample("notebook.ipynb") + " " * (300 << 10)})
    assert submission.works[0].problem is None


def test_a_notebook_over_20_mib_is_passed_by(hand_in):
    submission = hand_in({"residual_add.py": CLASS, "big.ipynb": b" " * ((20 << 20) + 1)})
    assert reasons(submission) == {"big.ipynb": "larger than 20 MiB"}


def test_other_kinds_of_files_are_named_up_to_fifty_and_then_counted(hand_in):
    submission = hand_in({"residual_add.py": CLASS, **{f"{number:03}.csv": "" for number in range(60)}})
    assert len(submission.skipped) == 51
    assert submission.skipped[-1].path == "… and 10 more"


def test_more_than_2000_files_are_refused_with_the_figure(hand_in):
    with pytest.raises(IntakeError, match="more than 2,000 files"):
        hand_in({f"{number}.csv": "" for number in range(2001)})


def test_too_many_nested_folders_are_refused_with_the_figure(hand_in):
    with pytest.raises(IntakeError, match="more than 12 deep"):
        hand_in({"a/" * 13 + "residual_add.py": CLASS})


def test_twelve_nested_folders_are_fine(hand_in):
    assert hand_in({"a/" * 12 + "residual_add.py": CLASS}).works[0].problem is None


def test_names_come_back_in_one_unicode_form(hand_in):
    submission = hand_in({unicodedata.normalize("NFD", "Übung eins/résidu 1.py"): CLASS})
    assert submission.files[0].path == unicodedata.normalize("NFC", "Übung eins/résidu 1.py")


def test_a_name_that_would_break_a_line_is_passed_by(hand_in):
    submission = hand_in({"residual_add.py": CLASS, "a\nb\x1b[2J.py": CLASS})
    assert reasons(submission) == {"a?b?[2J.py": "its name holds characters that cannot be shown"}


def test_a_name_that_is_no_utf8_is_read_all_the_same(tmp_path, course):
    with open(os.fsencode(tmp_path) + b"/gr\xfc\xdfe.py", "w") as file:
        file.write(CLASS)
    assert accept(tmp_path, course).files[0].path == "gr\ufffd\ufffde.py"


def test_a_wrapper_folder_is_no_trouble(hand_in):
    work = hand_in({"my homework (final)/src/residual_add.py": CLASS}).works[0]
    assert (work.problem, work.remarks) == (None, ())


def test_nothing_is_run(hand_in, tmp_path):
    hand_in({"residual_add.py": f"open({str(tmp_path / 'ran')!r}, 'w')\n{CLASS}"})
    assert not (tmp_path / "ran").exists()
