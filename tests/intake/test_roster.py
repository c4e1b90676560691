"""A roster joins ids to names, whatever program wrote it; nobody is found by a name."""

import class_archives as made
import pytest

from grader.errors import UsageError
from grader.intake.classes import joined, overview, read_roster

CODE = made.CODE


@pytest.fixture
def roster(tmp_path):
    def write_and_read(text, encoding="utf-8"):
        (tmp_path / "roster.csv").write_bytes(text.encode(encoding))
        return read_roster(tmp_path / "roster.csv")

    return write_and_read


@pytest.fixture
def moodle(class_zip):
    def read(*who):
        return class_zip([(f"{one}_assignsubmission_file/a.py", CODE) for one in who])

    return read


def rows(handed_in, enrolled):
    return {row.student: [one.key for one in row.hand_ins] for row in joined(handed_in.hand_ins, enrolled)}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_roster_is_read_however_a_spreadsheet_saves_it(roster, encoding, delimiter):
    lines = [
        ["Identifier", "Full name", "Email address", "Section"],
        ["Participant 1", '"Müller, Ada"', "a@x.edu", '"A;\t, and B"'],
    ]
    person = roster("\r\n".join(delimiter.join(line) for line in lines), encoding)[0]
    assert (person.name, person.email, person.section) == ("Ada Müller", "a@x.edu", "A;\t, and B")
    assert set(person.ids.values()) == {"Participant 1", "1", "a@x.edu"}


def test_first_and_last_names_in_two_columns(roster):
    assert roster("username,first_name,last_name\nada,Ada,Love\n")[0].name == "Ada Love"


def test_the_gradebook_of_canvas_is_a_roster(roster, class_zip):
    text = (
        "Student,ID,SIS User ID,SIS Login ID,Section,Lab (1)\n    Points Possible,,,,,10\n"
        '"Oduya, Amara",48213,007,aoduya,A,\n"Student, Test",1,,x,A,\n"Gone, Ada",48999,009,agone,A,\n'
    )
    found = rows(class_zip(made.CANVAS[:1]), roster(text))
    assert found == {"Amara Oduya": ["48213"], "Ada Gone": []}


def test_students_without_a_submission_get_a_row_and_so_do_those_who_are_not_on_the_roster(roster, moodle):
    handed_in = moodle("Ada_1", "Joe_2")
    enrolled = roster("Identifier,Full name\nParticipant 2,Joe Doe\nParticipant 3,Nobody Here\n")
    assert rows(handed_in, enrolled) == {"Joe Doe": ["2"], "Nobody Here": [], "Ada": ["1"]}


def test_a_worksheet_of_moodle_in_another_language_is_known_by_its_values(roster, moodle):
    enrolled = roster(
        "Kennung,Vollständiger Name,E-Mail-Adresse\nTeilnehmer/in 1,Ada,a@x.edu\nTeilnehmer/in 2,Joe,j@x.edu\n"
    )
    assert [person.email for person in enrolled] == ["a@x.edu", "j@x.edu"]
    assert [len(row.hand_ins) for row in joined(moodle("Ada_1", "Joe_2").hand_ins, enrolled)] == [1, 1]


def test_a_name_joins_nobody(roster, moodle):
    enrolled = roster("Identifier,Full name\nParticipant 9,Ada Love\n")
    assert rows(moodle("Ada Love_1"), enrolled) == {"Ada Love": [], "Ada Love (1)": ["1"]}


def test_an_id_that_two_lines_have_joins_nobody(roster, moodle):
    enrolled = roster("id,name\n1,Ada\n1,Joe\n")
    assert rows(moodle("Zoe_1"), enrolled) == {"Ada": [], "Joe": [], "Zoe": ["1"]}


def test_a_number_of_another_kind_that_happens_to_be_the_same_joins_nobody(roster, moodle):
    enrolled = roster(
        "Identifier,ID number,Full name\nParticipant 1,500,Ada\nParticipant 2,3,Joe\nParticipant 3,501,Zoe\n"
    )
    assert rows(moodle("Ada_1", "Joe_2", "Zoe_3"), enrolled) == {"Ada": ["1"], "Joe": ["2"], "Zoe": ["3"]}


def test_students_of_one_name_keep_their_ids_behind_it(roster, moodle):
    enrolled = roster("Identifier,Full name\nParticipant 1,Ada Love\nParticipant 2,Ada Love\n")
    assert rows(moodle("Ada Love_1", "Ada Love_2"), enrolled) == {
        "Ada Love (Participant 1)": ["1"],
        "Ada Love (Participant 2)": ["2"],
    }


def test_a_group_stands_in_the_row_of_each_member(roster, class_zip):
    enrolled = roster("SID,Name\n20260019,Ji-soo\n20260021,Måns\n")
    found = rows(class_zip(made.GRADESCOPE_EXPORT), enrolled)
    assert found == {"Ji-soo": ["submission_88002"], "Måns": ["submission_88002"], "Amara Oduya": ["submission_88001"]}


def test_logins_are_joined_in_upper_and_lower_case(roster, class_folder):
    enrolled = roster("github_username,name\nJsPark,Ji-soo Park\n")
    assert rows(class_folder(made.GITHUB), enrolled) == {"Ji-soo Park": ["jspark"], "ada-l": ["ada-l"]}


def test_an_email_in_another_case_is_the_same(roster, class_zip):
    enrolled = roster("Email,Name\nAODUYA@example.edu,Amara\n")
    assert rows(class_zip(made.GRADESCOPE_EXPORT), enrolled)["Amara"] == ["submission_88001"]


@pytest.mark.parametrize(
    ("text", "said"), [("", "is empty"), ("name,points\nAda,1\n", "no column that tells students")]
)
def test_a_roster_that_tells_nobody_apart_is_a_wrong_call(roster, text, said):
    with pytest.raises(UsageError, match=said):
        roster(text)


def test_a_roster_that_is_not_there_is_a_wrong_call(tmp_path):
    with pytest.raises(UsageError, match="cannot be read"):
        read_roster(tmp_path / "none.csv")


def test_the_overview_tells_what_was_understood(roster, class_zip):
    handed_in = class_zip(made.raw_zip(made.NASTY))
    told = overview(handed_in, roster('ID,Student\n48290,"Müller, Ada"\n1,Nobody\n'))
    assert (told["schema"], told["layout"]) == ("grade/intake/v1", "canvas")
    assert told["counts"] == {
        "students": 10,
        "hand_ins": 9,
        "late": 1,
        "without_submission": 1,
        "not_on_roster": 8,
        "needs_attention": 5,
        "junk": 2,
    }
    assert told["students"][0]["student"] == "Ada Müller"
    assert told["students"][0]["attempts"][0]["code"] == ["block.py"]
    assert len(told["skipped"]) == 3


def test_the_overview_looks_into_archives(class_zip):
    attempts = [student["attempts"][0] for student in overview(class_zip(made.CANVAS))["students"]]
    assert {attempt["key"]: attempt["code"] for attempt in attempts}["48231"] == ["lab two/block.py"]
