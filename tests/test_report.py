"""`grade report`: pages made again from stored records, and a sentence for whatever is not one."""

import json
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from grader import cli

ROOT = Path(__file__).parent
RECORDS = ROOT / "samples" / "records"
HEADER = "student,exercise,check,points,reason,by\n"
COVER = """
import sys
import grader.cli
try:
    grader.cli.main()
except SystemExit as end:
    print("CODE", end.code)
print("LOADED", [name for name in ("torch", "pytest", "nbformat") if name in sys.modules])
"""


@dataclass
class Done:
    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def report(monkeypatch, capfd, tmp_path):
    """Runs `grade report` in this process, in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["grade", "report", *map(str, arguments)])
        capfd.readouterr()
        with pytest.raises(SystemExit) as caught:
            cli.main()
        return Done(caught.value.code, *capfd.readouterr())

    return run


@pytest.fixture
def records(tmp_path):
    """A folder with the records of Ada and Ben, one of them deeper."""
    folder = tmp_path / "records"
    put(folder / "ada.json", student="Ada")
    put(folder / "deeper" / "ben.json", "full_marks", student="Ben")
    return folder


def put(path, kind="missing_skip", student="Ada", **changes):
    record = json.loads((RECORDS / f"{kind}.json").read_text(encoding="utf-8"))
    record["submission"]["student"] = student
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(record | changes), encoding="utf-8")
    return record


def made(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


# Pages ----------------------------------------------------------------------------------------------------------------


def test_a_record_becomes_its_page(report, records, tmp_path):
    done = report(records / "ada.json")

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"page  {Path('grade-out/report.html')}\n"
    assert made(tmp_path / "grade-out") == [".gitignore", "report.html"]


def test_a_folder_becomes_a_class(report, records, tmp_path):
    done = report(records, "--out", "there")

    assert (done.returncode, done.stderr) == (0, "")
    first, second, *pages = made(tmp_path / "there")
    assert [first, second] == [".gitignore", "class.html"]
    assert [re.sub("-[0-9a-f]{10}", "", page) for page in pages] == ["students/ada.html", "students/ben.html"]


def test_names_are_replaced_by_codes(report, records, tmp_path):
    report(records, "--anonymous")

    text = "".join(path.name + path.read_text() for path in (tmp_path / "grade-out").rglob("*.html"))
    assert not re.search(r"\b(Ada|Ben)\b", text)


def test_pages_of_an_earlier_run_that_are_left_are_told(report, records):
    report(records)

    done = report(records, "--anonymous")

    assert done.returncode == 0
    assert "2 other pages are left in grade-out/students from an earlier run" in done.stderr


def test_boundaries_are_those_given(report, records, tmp_path):
    report(records, "--boundary", "65", "--boundary", "80")

    assert "0.5 below 65 % of all" in (tmp_path / "grade-out" / "class.html").read_text()


def test_what_may_be_said_about_a_mistake_is_from_the_vocabulary(report, tmp_path):
    for name in ("Ada", "Ben"):
        put(tmp_path / "records" / f"{name}.json", student=name)

    report("records")

    assert "Without this path, gradients shrink" in (tmp_path / "grade-out" / "class.html").read_text()


def test_nothing_is_graded_and_torch_is_not_imported(records, tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", COVER, "report", records], cwd=tmp_path, capture_output=True, text=True, check=True
    )

    assert done.stdout.splitlines()[-2:] == ["CODE 0", "LOADED []"]


# What is not a record -------------------------------------------------------------------------------------------------

DEEP = "[" * 100_000


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "It is not complete JSON"),
        ('{"schema": "grade/record/v1", ', "It is not complete JSON"),
        (DEEP, "It is JSON that no record consists of"),
        ('{"points": NaN}', "It is JSON that no record consists of"),
        ('{"schema": "grade/record/v9"}', "another version (grade/record/v9); this grader reads grade/record/v1"),
        ('{"schema": "grade/record/v1"}', "It is not as this grader writes records"),
        ("[1, 2]", "It is not a record of this grader"),
        ('{"schema": 3}', "It is not a record of this grader"),
        ("\udcff", "It is not UTF-8 text"),
    ],
    ids=["empty", "cut", "deep", "nan", "version", "fields", "list", "schema", "bytes"],
)
def test_a_file_that_is_no_record_exits_with_2_and_says_why(report, tmp_path, text, words):
    (tmp_path / "x.json").write_text(text, encoding="utf-8", errors="surrogateescape")

    done = report("x.json")

    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert not (tmp_path / "grade-out").exists()


@pytest.mark.parametrize(
    "changes",
    [
        {"points": "many"},
        {"points": 11.0},
        {"points": -1.0},
        {"max_points": 1e300, "points": 1e300},
        {"exercises": {}},
        {"exercises": [{}]},
        {"submission": None},
        {"timing": {"started": 3, "seconds": {}}},
    ],
)
def test_a_record_with_wrong_values_is_told_and_the_others_are_shown(report, records, tmp_path, changes):
    put(records / "eve.json", student="Zebedee", **changes)

    done = report(records)

    assert done.returncode == 1
    assert done.stderr.startswith("left out: eve.json: It is not as this grader writes records: ")
    assert "Zebedee" not in (tmp_path / "grade-out" / "class.html").read_text()
    assert len(made(tmp_path / "grade-out" / "students")) == 2


def test_broken_json_is_told_and_loses_nothing(report, records, tmp_path):
    (records / "eve.json").write_text('{"schema": "grade/record/v1"')

    done = report(records)

    assert done.returncode == 1
    assert done.stderr == "left out: eve.json: It is not complete JSON: Expecting ',' delimiter in line 1.\n"
    assert "eve.json: It is not complete JSON" in (tmp_path / "grade-out" / "class.html").read_text()
    assert len(made(tmp_path / "grade-out" / "students")) == 2


def test_other_json_is_passed_over_and_counted(report, records, tmp_path):
    (records / "settings.json").write_text("{}")
    (records / "notes.txt").write_text("{}")

    done = report(records)

    assert (done.returncode, done.stderr) == (0, "")
    assert "1 file, passed over" in (tmp_path / "grade-out" / "class.html").read_text()


def test_links_are_not_followed(report, records, tmp_path):
    put(tmp_path / "elsewhere" / "eve.json", student="Eve")
    (records / "link.json").symlink_to(tmp_path / "elsewhere" / "eve.json")
    (records / "linked").symlink_to(tmp_path / "elsewhere")

    report(records)

    assert len(made(tmp_path / "grade-out" / "students")) == 2


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({}, "has no record that can be read. It has no JSON file."),
        ({"x.json": "{}"}, "All JSON files in it are of another kind."),
        ({"x.json": "{"}, "x.json: It is not complete JSON"),
    ],
    ids=["empty", "others", "broken"],
)
def test_a_folder_without_a_record_exits_with_2_and_says_so(report, tmp_path, files, words):
    (tmp_path / "folder").mkdir()
    for name, text in files.items():
        (tmp_path / "folder" / name).write_text(text)

    done = report("folder")

    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr


def test_a_path_that_is_not_there_exits_with_2(report):
    done = report("nowhere")

    assert done.returncode == 2
    assert "nowhere does not exist" in done.stderr


def test_records_of_two_courses_are_not_mixed(report, records):
    put(records / "eve.json", student="Eve", course={"name": "Another", "digest": "sha256:1"})

    done = report(records)

    assert done.returncode == 2
    assert "records of 2 courses: “Another”, “Residual connections”" in done.stderr


def test_a_record_from_before_confinement_was_noted_is_read(report, records, tmp_path):
    record = put(records / "eve.json", student="Eve")
    del record["environment"]["confinement_level"], record["environment"]["unconfined"]
    (records / "eve.json").write_text(json.dumps(record))

    assert report(records).returncode == 0


def test_a_record_with_fields_of_a_later_grader_is_read(report, records):
    put(records / "eve.json", student="Eve", later={"x": 1})

    assert report(records).returncode == 0


# Overrides ------------------------------------------------------------------------------------------------------------


def test_points_are_changed_by_hand(report, records, tmp_path):
    (tmp_path / "o.csv").write_bytes(
        (HEADER + "Ada,residual_add,adds_the_input_back,3,It is right,MK\n").encode("utf-8-sig")
    )

    done = report(records, "--overrides", "o.csv")

    assert (done.returncode, done.stderr) == (0, "")
    assert "It is right" in (tmp_path / "grade-out" / "class.html").read_text()


def test_a_bad_row_is_told_with_its_number(report, records, tmp_path):
    (tmp_path / "o.csv").write_text(HEADER + "Zoe,residual_add,adds_the_input_back,3,why,MK\n")

    done = report(records, "--overrides", "o.csv")

    assert done.returncode == 1
    assert done.stderr == "left out: row 2: no record is of a student “Zoe”\n"


@pytest.mark.parametrize(
    ("data", "words"),
    [(None, "o.csv: It is not a file"), (b"\xff\xfe", "o.csv is not UTF-8 text")],
    ids=["none", "utf-16"],
)
def test_overrides_that_cannot_be_read_exit_with_2(report, records, tmp_path, data, words):
    if data is not None:
        (tmp_path / "o.csv").write_bytes(data)

    done = report(records, "--overrides", "o.csv")

    assert done.returncode == 2
    assert words in done.stderr


# Hostile --------------------------------------------------------------------------------------------------------------


def test_the_hostile_sample_becomes_a_page_or_is_told(report, tmp_path):
    shutil.copy(RECORDS / "hostile.json", tmp_path / "hostile.json")

    done = report("hostile.json", "--anonymous")

    assert done.returncode in {0, 2}
    assert "Traceback" not in done.stderr


def test_a_link_in_the_place_of_the_folder_of_pages_is_not_followed(report, records, tmp_path):
    (tmp_path / "grade-out").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "grade-out" / "students").symlink_to(tmp_path / "elsewhere")

    done = report(records)

    assert done.returncode == 2
    assert "is a link" in done.stderr
    assert made(tmp_path / "elsewhere") == []


def test_nothing_in_a_name_steers_the_terminal(report, tmp_path):
    (tmp_path / "records").mkdir()
    (tmp_path / "records" / "::error::\x1b[2J.json").write_text("{")
    put(tmp_path / "records" / "ada.json")

    done = report("records")

    assert "\x1b" not in done.stderr
    assert not re.search(r"^\s*::", done.stderr, re.MULTILINE)
