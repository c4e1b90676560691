"""Classes that are made to hurt: what is bad is told with its reason, and everybody else is read."""

import class_archives as made
import pytest

from grader.errors import IntakeError, UsageError
from grader.intake.classes import each, read_class, reading, tree

CODE = made.CODE
FOLDER = made.FOLDER


def dict_of(handed_in):
    return {one.key: contents for one, contents in each(handed_in)}


def reasons(contents):
    return {one.path: one.reason for one in contents.skipped}


def test_nothing_bad_in_the_zip_of_a_class_is_read_and_all_of_it_is_told(class_zip):
    handed_in = class_zip(made.raw_zip(made.NASTY))
    assert handed_in.layout == "canvas"
    assert {one.key: (one.people[0].name, one.late, one.files) for one in handed_in.hand_ins if one.files} == {
        "48290": ("müller", True, ("block.py",)),
        "48291": ("gómezrené", False, ("block.py",)),
        "48292": ("grünfeld", False, ("block.py",)),
        "48293": ("田中", False, ("block.py",)),
        "48297": ("dup", False, ("block.py", "block.py")),
    }
    assert {one.path: one.reason for one in handed_in.skipped} == {
        "../../evil_48294_9100904_block.py": "path escapes the archive",
        "C:/temp/evil_48295_9100905_block.py": "path escapes the archive",
        "/abs_48280_9100905_block.py": "path escapes the archive",
    }
    assert {one.key: [bad.reason for bad in one.skipped] for one in handed_in.hand_ins if one.skipped} == {
        "48296": ["symbolic link or device"],
        "48281": ["symbolic link or device"],
        "48282": ["encrypted: locked with a password"],
        "48298": ["name not valid on Windows"],
    }
    assert handed_in.junk == {"made by macOS, holds no code": 2}


def test_of_a_name_that_is_there_twice_the_first_is_read_and_the_instructor_told(class_zip):
    handed_in = class_zip(made.raw_zip(made.NASTY))
    twice = next(one for one in handed_in.hand_ins if one.key == "48297")
    contents = dict_of(handed_in)["48297"]
    assert contents.files == {"block.py": CODE}
    assert reasons(contents) == {"block.py": "this name is there twice; the first one was read"}
    assert twice.attention == ("`block.py` is there twice; the first one was read.",)


def test_whoever_handed_in_only_checkpoints_has_handed_in_nothing(handed_in_by_ada):
    contents = handed_in_by_ada((".ipynb_checkpoints/block-checkpoint.py", CODE))
    assert contents.files == {}
    assert reasons(contents) == {".ipynb_checkpoints": "backup copies that Jupyter makes by itself"}


@pytest.mark.parametrize("name", ["bomb.ipynb", "bomb.py"])
def test_a_bomb_is_read_no_further_than_its_limit(handed_in_by_ada, name):
    contents = handed_in_by_ada((name, b"\0" * (24 << 20)), ("block.py", CODE))
    assert list(contents.files) == ["block.py"]
    assert contents.read_bytes <= 1 << 20


def test_a_hand_in_of_too_many_files_is_refused_and_the_next_one_read(handed_in_by_ada):
    trouble = handed_in_by_ada(*((f"{number}.py", b"") for number in range(2001)))
    assert isinstance(trouble, IntakeError)
    assert "more than 2,000 files" in str(trouble)


def test_folders_nested_too_deep_are_refused_and_the_next_hand_in_read(handed_in_by_ada):
    assert "nested more than 12 deep" in str(handed_in_by_ada(("/".join("abcdefghijklmn") + "/x.py", CODE)))


def test_a_class_of_too_many_files_is_refused(class_zip, monkeypatch):
    monkeypatch.setattr(reading, "MOST_ENTRIES", 3)
    with pytest.raises(IntakeError, match="more than 3 files"):
        class_zip([(f"{number}.py", CODE) for number in range(4)])


def test_a_class_of_too_many_bytes_is_read_no_further(class_zip, monkeypatch):
    monkeypatch.setattr(reading, "MOST_BYTES", len(CODE))
    results = [contents for _, contents in each(class_zip([(f"{name}.py", CODE) for name in "abcd"]))]
    assert [isinstance(one, IntakeError) for one in results] == [False, False, True, True]


def test_an_honest_file_is_never_taken_for_a_bomb():
    assert not tree.outgrown(1 << 20, 1)
    assert not tree.outgrown(20 << 20, 1 << 20)
    assert tree.outgrown(20 << 20, 20 << 10)


def test_a_link_in_a_folder_is_not_followed(tmp_path, class_folder):
    (tmp_path / "secret.py").write_bytes(CODE)
    (tmp_path / "class" / "ada").mkdir(parents=True)
    (tmp_path / "class" / "ada" / "block.py").symlink_to(tmp_path / "secret.py")
    handed_in = class_folder([("joe/block.py", CODE)])
    assert dict_of(handed_in)["ada"].files == {}
    assert handed_in.hand_ins[0].skipped[0].reason == "a link; links are not followed"


def test_a_file_that_becomes_a_link_after_it_was_listed_is_not_followed(tmp_path, class_folder):
    handed_in = class_folder([("ada/block.py", CODE), ("joe/block.py", CODE)])
    with reading.ClassReader(handed_in) as reader:
        (tmp_path / "class" / "ada" / "block.py").unlink()
        (tmp_path / "class" / "ada" / "block.py").symlink_to(tmp_path / "class" / "joe" / "block.py")
        assert reader.contents(handed_in.hand_ins[0]).files == {}


def test_a_class_that_changed_gives_nobody_the_files_of_another(tmp_path, class_folder):
    handed_in = class_folder([("ada/block.py", b"# ada\n"), ("joe/block.py", b"# joe\n")])
    (tmp_path / "class" / "ada" / "a.py").write_bytes(b"# new\n")
    found = dict_of(handed_in)
    assert all(isinstance(one, IntakeError) and "changed" in str(one) for one in found.values())


@pytest.mark.parametrize("data", [b"Rar!\x1a\x07\x00", b"", b"hello"])
def test_a_class_that_is_no_zip_is_refused(tmp_path, data):
    (tmp_path / "class.zip").write_bytes(data)
    with pytest.raises(IntakeError, match="is no zip"):
        read_class(tmp_path / "class.zip")


def test_a_truncated_class_is_refused(tmp_path):
    (tmp_path / "class.zip").write_bytes(made.zipped(made.CANVAS)[:200])
    with pytest.raises(IntakeError, match="damaged, or is no zip"):
        read_class(tmp_path / "class.zip")


def test_a_path_that_does_not_exist_is_a_wrong_call(tmp_path):
    with pytest.raises(UsageError, match="does not exist"):
        read_class(tmp_path / "nothing")


def test_the_zip_of_a_class_is_never_unpacked_to_disk(tmp_path, class_zip):
    dict_of(class_zip(made.CANVAS))
    assert [path.name for path in tmp_path.iterdir()] == ["class.zip"]


def test_names_in_windows_style_are_folders(class_zip):
    members = [
        (f"{FOLDER}\\src\\block.py".encode(), CODE, 0, 0),
        (b"Joe Doe_2_assignsubmission_file\\a.py", CODE, 0, 0),
    ]
    assert dict_of(class_zip(made.raw_zip(members)))["1"].files == {"src/block.py": CODE}
