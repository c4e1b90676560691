"""What each platform hands out is recognised by its content: whose each file is, which attempt, when, how late."""

import class_archives as made
import pytest

CODE = made.CODE


def seen(handed_in):
    """(key, name, attempt) to the files and the time of each hand-in."""
    return {
        (one.key, " & ".join(person.name for person in one.people), one.attempt): (list(one.files), one.submitted)
        for one in handed_in.hand_ins
    }


def files_of(handed_in):
    return {(one.key, one.attempt): list(one.files) for one in handed_in.hand_ins}


def test_canvas(class_zip):
    handed_in = class_zip(made.CANVAS)
    assert handed_in.layout == "canvas"
    assert {(one.key, one.people[0].name, one.late, one.files) for one in handed_in.hand_ins} == {
        ("48213", "oduyaamara", False, ("block.py", "notes.md")),
        ("48220", "brennan", True, ("block-1.py",)),
        ("48231", "lindqvistmåns", False, ("lab two.zip",)),
        ("anon_5fRk2", "", False, ("block.py",)),
        ("anon_Zq81a", "", True, ("block.py",)),
        ("48250", "parkjisoo", False, ("text.html",)),
        ("48251", "silvarocha", False, ("link.html",)),
        ("48260", "हिन्दीनाम", False, ("12_34_block.py",)),
    }


def test_canvas_says_what_it_renamed_and_what_is_only_text(class_zip):
    hand_ins = class_zip(made.CANVAS).hand_ins
    assert {one.key: "Canvas adds `-1`" in one.notes[0] for one in hand_ins if one.notes} == {"48220": True}
    assert {one.key: "Only text" in one.attention[0] for one in hand_ins if one.attention} == {
        "48250": True,
        "48251": True,
    }


def test_moodle_folders_old_and_new(class_zip):
    handed_in = class_zip(made.MOODLE_FOLDERS)
    assert handed_in.layout == "moodle-folders"
    assert seen(handed_in) == {
        ("771204", "Amara Oduya", 1): (["block.py", "onlinetext.html"], None),
        ("771219", "Jean-Luc O'Brien", 1): (["src/block.py"], None),
        ("771230", "Participant", 1): (["block.py"], None),
        ("771205", "Måns Lindqvist", 1): (["block.py"], None),
        ("Default group", "Default group", 1): (["block.py"], None),
    }
    assert {one.people[0].login for one in handed_in.hand_ins} == {"", "mlind"}
    assert [one.key for one in handed_in.hand_ins if one.anonymous] == ["771230"]


def test_moodle_flat(class_zip):
    handed_in = class_zip(made.MOODLE_FLAT)
    assert handed_in.layout == "moodle-flat"
    assert files_of(handed_in) == {("771204", 1): ["my_block.py", "onlinetext.html"], ("771207", 1): ["block.py"]}


def test_blackboard_takes_the_user_from_the_receipt_and_keeps_all_attempts(class_zip):
    handed_in = class_zip(made.blackboard())
    assert handed_in.layout == "blackboard"
    assert seen(handed_in) == {
        ("aoduya", "Amara Oduya", 1): (["block.py"], "2026-09-14T23:51:00"),
        ("aoduya", "Amara Oduya", 2): (["block.py"], "2026-09-15T08:00:00"),
        ("m_lindqvist", "Måns Lindqvist", 1): (["block.py"], "2026-09-14T23:52:00"),
    }


def test_blackboard_in_another_language_and_with_a_receipt_missing(class_zip):
    stem = "Lab_a_b_poging_2026-09-14-23-51-00"
    words = ("Naam", "Oorspronkelijke bestandsnaam", "Bestandsnaam")
    members = [
        (f"{stem}_block.py", CODE),
        (f"{stem}.txt", made.receipt("A B", "a_b", [("my block.py", f"{stem}_block.py")], words)),
        ("Lab_c_d_poging_2026-09-14-23-52-00_block.py", CODE),
    ]
    handed_in = class_zip(members)
    assert set(seen(handed_in)) == {("a_b", "A B", 1), ("c_d", "", 1)}
    notes = {one.key: one.notes for one in handed_in.hand_ins}
    assert notes["a_b"] == ("`block.py` was handed in as `my block.py`.",)
    assert "no receipt" in notes["c_d"][0]


def test_a_blackboard_receipt_alone_is_a_hand_in_without_files(class_zip):
    stem = "Lab_ab_attempt_2026-09-14-23-51-00"
    handed_in = class_zip([*made.blackboard(), (f"{stem}.txt", made.receipt("A B", "ab", []))])
    assert files_of(handed_in)["ab", 1] == []


def test_brightspace(class_zip):
    handed_in = class_zip(made.BRIGHTSPACE)
    assert (handed_in.layout, handed_in.skipped) == ("brightspace", ())
    assert seen(handed_in) == {
        ("640693", "Amara Oduya", 1): (["block.py"], "2026-09-14T22:22:00"),
        ("640693", "Amara Oduya", 2): (["block.py"], "2026-09-15T08:30:00"),
        ("640694", "Jean-Luc O'Brien", 1): (["block.py"], "2026-09-14T23:30:00"),
    }


def test_brightspace_flat_where_the_second_number_is_that_of_the_exercise(class_zip):
    handed_in = class_zip(made.BRIGHTSPACE_FLAT)
    assert handed_in.layout == "brightspace"
    assert seen(handed_in) == {
        ("39786", "Amara Oduya", 1): (["my - block.py"], "2026-09-14T13:22:00"),
        ("39787", "Jean-Luc O'Brien", 1): (["block.py"], "2026-09-14T22:10:00"),
        ("N0123456", "Ji-soo Park", 1): (["block.py"], "2026-09-14T23:30:00"),
    }


def test_two_people_with_the_same_numbers_in_brightspace_stay_two(class_zip):
    folder = "397063-2557369 - {} - Sep 24, 2026 926 PM/block.py"
    handed_in = class_zip([(folder.format("Mary-Ann Smith"), CODE), (folder.format("John Doe"), CODE)])
    assert {one.people[0].name for one in handed_in.hand_ins} == {"Mary-Ann Smith", "John Doe"}
    assert len({one.key for one in handed_in.hand_ins}) == 2


def test_gradescope_with_a_group(class_zip):
    handed_in = class_zip(made.GRADESCOPE_EXPORT)
    assert (handed_in.layout, handed_in.skipped) == ("gradescope", ())
    assert seen(handed_in) == {
        ("submission_88001", "Amara Oduya", 1): (["block.py"], "2026-09-14T22:10:05+00:00"),
        ("submission_88002", 'Ji-soo Park & Måns "M" Lindqvist', 1): (
            ["exercises/block.py"],
            "2026-09-14T22:15:00-04:00",
        ),
    }
    assert [(p.number, p.email) for one in handed_in.hand_ins for p in one.people] == [
        ("00260017", "aoduya@example.edu"),
        ("20260019", "jpark@example.edu"),
        ("20260021", "mlind@example.edu"),
    ]


@pytest.mark.parametrize("within", [made.GITHUB, [(name.partition("/")[2], data) for name, data in made.GITHUB]])
def test_github_classroom(class_folder, within):
    name = "clones" if within is made.GITHUB else "lab2-residual-submissions"
    handed_in = class_folder(within, name)
    assert handed_in.layout == "github-classroom"
    assert files_of(handed_in) == {("ada-l", 1): ["exercises/block.py"], ("jspark", 1): ["exercises/block.py"]}
    assert handed_in.junk == {"a hidden folder": 1}


def test_classroom50_finds_repositories_without_a_marker_by_those_that_have_one(class_folder):
    handed_in = class_folder(made.CLASSROOM50)
    assert handed_in.layout == "classroom50"
    assert [(one.key, one.people[0].repository) for one in handed_in.hand_ins] == [
        ("ada-l", "cs7-lab2-residual-ada-l"),
        ("group-3", "cs7-lab2-residual-group-3"),
    ]


@pytest.mark.parametrize("name", ["course", "submitted"])
def test_nbgrader(class_folder, name):
    start = "submitted/" if name == "submitted" else ""
    members = [(path.removeprefix(start), data) for path, data in made.NBGRADER if path.startswith(start)]
    handed_in = class_folder(members, name)
    assert (handed_in.layout, handed_in.skipped) == ("nbgrader", ())
    assert seen(handed_in) == {
        ("aoduya", "", 1): (["block.py"], "2026-09-14T23:10:05-04:00"),
        ("jpark", "", 1): (["block.py"], "2026-09-15T00:20:00+00:00"),
    }


def test_two_exercises_of_nbgrader_are_two_hand_ins_and_no_attempts(class_folder):
    handed_in = class_folder([("submitted/ab/lab1/a.py", CODE), ("submitted/ab/lab2/a.py", CODE)])
    assert [(one.assignment, one.attempt) for one in handed_in.hand_ins] == [("lab1", 1), ("lab2", 1)]
    assert "several exercises: `lab1` and `lab2`" in handed_in.notes[0]


@pytest.mark.parametrize("read", ["class_zip", "class_folder"])
def test_plain(request, read):
    handed_in = request.getfixturevalue(read)(made.PLAIN)
    assert handed_in.layout == "plain"
    assert files_of(handed_in) == {
        ("lindqvist", 1): ["lindqvist.py"],
        ("oduya_amara", 1): ["block.py"],
        ("park-jisoo", 1): ["park-jisoo.zip"],
    }
    assert [(one.path, one.reason) for one in handed_in.skipped] == [("read me.txt", "no student found in the name")]


def test_a_student_with_an_empty_folder_has_handed_in_nothing(class_folder):
    assert files_of(class_folder([("ada/a.py", CODE), ("joe/", b"")])) == {("ada", 1): ["a.py"], ("joe", 1): []}


def test_one_folder_with_one_students_files_is_one_student(class_zip):
    handed_in = class_zip([("ada/a.py", CODE), ("ada/src/b.py", CODE), ("ada/docs/c.py", CODE)])
    assert files_of(handed_in) == {("ada", 1): ["a.py", "docs/c.py", "src/b.py"]}
    assert "taken as the work of one student" in handed_in.notes[0]
