"""Which layout a download has: told by all of its names together, or said by the instructor."""

import class_archives as made
import pytest

from grader.errors import UsageError
from grader.intake.classes import each

CODE = made.CODE


def seen(handed_in):
    """(key, name, attempt) to the files and the time of each hand-in."""
    return {
        (one.key, " & ".join(person.name for person in one.people), one.attempt): (list(one.files), one.submitted)
        for one in handed_in.hand_ins
    }


def files_of(handed_in):
    return {(one.key, one.attempt): list(one.files) for one in handed_in.hand_ins}


@pytest.mark.parametrize(
    "members",
    [
        ["ada.py", "joe.py"],
        ["ada/a.py", "joe/a.py"],
        ["ada/a.py", "joe.zip"],
        ["ada.zip", "joe.zip", "zoe.py"],
    ],
)
def test_a_folder_around_students_is_told_from_one_students(class_zip, members):
    handed_in = class_zip([("read me.md", b"x"), *((f"lab two/{name}", CODE) for name in members)])
    assert {"ada", "joe"} <= {one.key for one in handed_in.hand_ins}
    assert handed_in.notes == ("`lab two` was taken as a folder around all students.",)


ARCHIVES = {
    "canvas": made.CANVAS,
    "moodle-folders": made.MOODLE_FOLDERS,
    "moodle-flat": made.MOODLE_FLAT,
    "blackboard": made.blackboard(),
    "brightspace": made.BRIGHTSPACE,
    "gradescope": made.GRADESCOPE_EXPORT,
    "github-classroom": made.GITHUB,
    "classroom50": made.CLASSROOM50,
    "nbgrader": made.NBGRADER,
    "plain": made.PLAIN,
}


@pytest.mark.parametrize("layout", ARCHIVES)
def test_a_wrapper_folder_changes_nothing(class_zip, layout):
    inside = [(f"some download/{name}", data) for name, data in ARCHIVES[layout]]
    wrapped = class_zip([*inside, ("__MACOSX/some download/._x", b"\0")], "some download.zip")
    straight = class_zip(ARCHIVES[layout], "straight.zip")
    assert wrapped.layout == layout
    assert seen(wrapped) == seen(straight)


@pytest.mark.parametrize("layout", ARCHIVES)
def test_an_unpacked_download_is_read_like_the_zip(class_zip, class_folder, layout):
    zipped, unpacked = class_zip(ARCHIVES[layout]), class_folder(ARCHIVES[layout], "unpacked")
    assert unpacked.layout == layout
    assert seen(unpacked) == seen(zipped)
    read = [{one.key: one_contents.files for one, one_contents in each(handed_in)} for handed_in in (zipped, unpacked)]
    assert read[0] == read[1]


def test_a_students_own_files_that_look_like_another_layout_decide_nothing(class_zip):
    odd = [
        ("lab_12_34_block.py", CODE),
        ("submission_metadata.yml", b"lab:\n"),
        (".classroom50.yaml", b"classroom: a\nassignment: b\n"),
        ("submitted/a/b/c.py", CODE),
    ]
    inside = [(f"Amara Oduya_771204_assignsubmission_file/{name}", data) for name, data in odd]
    handed_in = class_zip([*inside, *made.MOODLE_FOLDERS[2:]])
    assert handed_in.layout == "moodle-folders"
    assert len(files_of(handed_in)["771204", 1]) == 4


def test_a_layout_can_be_said(class_zip):
    handed_in = class_zip(made.MOODLE_FOLDERS, layout="plain")
    assert handed_in.layout == "plain"
    assert "Amara Oduya_771204_assignsubmission_file" in {one.key for one in handed_in.hand_ins}


def test_an_unknown_layout_is_answered_with_the_nearest(class_zip):
    with pytest.raises(UsageError, match="did you mean `canvas`"):
        class_zip(made.CANVAS, layout="canvass")


def test_a_layout_whose_table_is_missing_is_a_wrong_call(class_zip):
    with pytest.raises(UsageError, match="lacks what the layout `gradescope` is read by"):
        class_zip(made.CANVAS, layout="gradescope")


def test_a_pattern_with_the_names_of_nbgrader(class_zip):
    pattern = r".*_(?P<student_id>\w+)_attempt_(?P<timestamp>[0-9\-]+)_(?P<file_id>\w+)"
    handed_in = class_zip(
        [("x/ps1_ada_attempt_2026-01-30-15-00-00_problem1.py", CODE), ("x/notes.py", CODE)], pattern=pattern
    )
    assert handed_in.layout == "pattern"
    assert seen(handed_in) == {("ada", "", 1): (["problem1.py"], "2026-01-30T15:00:00")}
    assert [one.path for one in handed_in.skipped] == ["x/notes.py"]


def test_a_pattern_with_first_and_last_name(class_zip):
    pattern = r"(?P<first_name>\w+)-(?P<last_name>\w+)-(?P<student_id>\d+)/(?P<file_id>.+)"
    handed_in = class_zip([("Ada-Love-7/a/b.py", CODE)], pattern=pattern)
    assert seen(handed_in) == {("7", "Ada Love", 1): (["a/b.py"], None)}


@pytest.mark.parametrize(
    ("pattern", "said"), [("(", "no regular expression"), (r"(?P<student_id>\w+)", r"needs the groups")]
)
def test_a_pattern_that_cannot_be_used_is_a_wrong_call(class_zip, pattern, said):
    with pytest.raises(UsageError, match=said):
        class_zip(made.PLAIN, pattern=pattern)


def test_people_who_share_a_name_are_kept_apart_and_told(class_zip):
    handed_in = class_zip([(f"Ada Love_{number}_assignsubmission_file/a.py", CODE) for number in (1, 2)])
    assert [one.student for one in handed_in.hand_ins] == ["Ada Love (1)", "Ada Love (2)"]
    assert handed_in.notes == ("`1` and `2` share the name `ada love`; they are kept apart.",)
