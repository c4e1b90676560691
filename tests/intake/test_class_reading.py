"""The files of a class come one hand-in at a time, and go the same way as those of a single submission."""

import weakref

import class_archives as made
import pytest

from grader.errors import IntakeError
from grader.intake import accept, accept_contents
from grader.intake.classes import ClassReader, each, read_class, zip_tree
from grader.intake.classes.times import from_stamp, from_words

CODE = made.CODE


@pytest.fixture
def opened(monkeypatch):
    """The paths of members in the order in which their bytes were asked for."""
    asked = []
    chunks = zip_tree.ZipTree.chunks

    def told(self, entry):
        asked.append(entry.path)
        return chunks(self, entry)

    monkeypatch.setattr(zip_tree.ZipTree, "chunks", told)
    return asked


def test_listing_a_class_reads_nothing_that_students_wrote(class_zip, opened):
    class_zip(made.CANVAS)
    assert opened == []
    class_zip(made.blackboard())
    assert len(opened) == 3
    assert all(path.endswith("-00.txt") for path in opened)


def test_each_hand_in_is_read_when_it_is_its_turn(class_zip, opened):
    handed_in = class_zip([(f"{name}/a.py", CODE) for name in ("ada", "joe", "zoe")])
    for number, _ in enumerate(each(handed_in), 1):
        assert len(opened) == number


def test_what_was_read_is_let_go_when_the_next_one_is_read(class_zip):
    handed_in = class_zip([(f"{number}/a.py", CODE) for number in range(50)])
    alive = []
    for _, contents in each(handed_in):
        alive.append(weakref.ref(contents))
        assert sum(one() is not None for one in alive) <= 2


def test_a_hand_in_can_be_read_again_and_in_any_order(class_zip):
    handed_in = class_zip([("ada/a.py", b"# ada\n"), ("joe/a.py", b"# joe\n")])
    with ClassReader(handed_in) as reader:
        found = [reader.contents(handed_in.hand_ins[at]).files["a.py"] for at in (1, 0, 1)]
    assert found == [b"# joe\n", b"# ada\n", b"# joe\n"]


def test_a_class_of_many_students_is_listed(class_zip):
    handed_in = class_zip([(f"Student {n}_{n}_assignsubmission_file/a.py", CODE) for n in range(1000)])
    assert len({one.key for one in handed_in.hand_ins}) == 1000


def test_contents_become_the_submission_that_the_path_itself_becomes(tmp_path, class_zip, course):
    inner = made.zipped([("lab/residual_add.py", CODE), ("lab/helper.py", b"x = 1\n")])
    (tmp_path / "work.zip").write_bytes(inner)
    handed_in = class_zip([("ada_1_2_work.zip", inner)])
    contents = next(contents for _, contents in each(handed_in))
    assert accept_contents(contents, course, student="ada") == accept(tmp_path / "work.zip", course, student="ada")


def test_a_renamed_file_is_found_by_what_it_defines(class_zip, course):
    contents = next(contents for _, contents in each(class_zip([("ada_1_2_my block.py", CODE)])))
    works = accept_contents(contents, course).works
    assert [(work.exercise, work.problem is None) for work in works] == [
        ("residual_add", True),
        ("deep_network", False),
        ("transformer_block", False),
    ]


def test_contents_without_code_are_nothing_to_grade(class_zip, course):
    contents = next(contents for _, contents in each(class_zip([("ada_1_text.html", b"x")])))
    with pytest.raises(IntakeError, match=r"nothing to grade in `ada`.*`text\.html`"):
        accept_contents(contents, course, student="ada")


def test_the_one_file_is_the_one_meant_for_the_one_exercise(class_zip, course):
    contents = next(contents for _, contents in each(class_zip([("ada_1_2_x.py", b"class Other: pass\n")])))
    assert accept_contents(contents, course, only=("residual_add",)).works[0].problem.kind == "not_defined"


def test_course_files_of_a_student_choose_nothing(class_folder, course):
    members = [("ada/course.toml", b""), ("ada/residual_add/solution.py", b"x = 1\n"), ("ada/block.py", CODE)]
    contents = next(contents for _, contents in each(class_folder(members)))
    assert accept_contents(contents, course).works[0].file.path == "block.py"


def test_an_empty_class_has_no_hand_ins(tmp_path):
    (tmp_path / "class").mkdir()
    assert read_class(tmp_path / "class").hand_ins == ()


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("2015-02-02 14:58:23.948203 America/Los_Angeles", "2015-02-02T14:58:23-08:00"),
        ("2026-07-02 14:58:23 America/Los_Angeles", "2026-07-02T14:58:23-07:00"),
        ("2026-07-02T14:58:23+0530", "2026-07-02T14:58:23+05:30"),
        ("2026-07-02 14:58:23 ../../etc/passwd", "2026-07-02T14:58:23"),
        ("2026-07-02 14:58:23 EDT", "2026-07-02T14:58:23"),
        ("2026-02-30 14:58:23", None),
        ("yesterday", None),
    ],
)
def test_times_are_read_as_they_are_written(text, time):
    assert from_stamp(text) == time


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("Oct 10, 2025 1022 AM", "2025-10-10T10:22:00"),
        ("Oct 1, 2025 122 PM", "2025-10-01T13:22:00"),
        ("Oct 1, 2025 1205 AM", "2025-10-01T00:05:00"),
        ("1 October 2025 22:10", "2025-10-01T22:10:00"),
        ("Feb 30, 2025 1022 AM", None),
        ("10 Vendémiaire 2025 1022", None),
    ],
)
def test_times_in_words_are_read_as_they_are_written(text, time):
    assert from_words(text) == time
