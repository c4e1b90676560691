"""Zips of pages: Canvas and Moodle find from each name whose page it is."""

import io
import re
import zipfile
from dataclasses import replace
from pathlib import PurePosixPath

import pytest
from export_class import AMARA, FORMULA, JISOO, MANS, ZOE, class_of_six, compare, row

from reports.export.feedback import canvas_name, canvas_zip, moodle_name, moodle_zip
from reports.export.rows import Who


def made(write, rows) -> tuple[dict[str, bytes], tuple[str, ...]]:
    out = io.BytesIO()
    written = write(iter(rows), out)
    with zipfile.ZipFile(out) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    assert written.written == len(files)
    return files, written.notes


def canvas_finds(path: str) -> tuple[str, str]:
    """User and attachment, as `infer_comment_context_from_filename` does it."""
    name = PurePosixPath(path).name
    parts = name.split("_")
    assert not name.startswith("._")
    assert not parts[-1].startswith("link")
    user, attachment = [part for part in parts if re.fullmatch(r"\d+", part)][:2]
    return user, attachment


def moodle_finds(path: str) -> tuple[str, str]:
    """Participant and file name, as `is_valid_filename_for_import` does it."""
    assert not PurePosixPath(path).name.startswith((".", "~"))
    for part in path.split("/"):
        info = part.split("_", 4)
        if len(info) >= 4 and info[1].isdigit() and info[2:4] == ["assignsubmission", "file"]:
            return info[1], info[4]
    raise AssertionError(f"Moodle passes {path} over")


def test_canvas_gives_every_page_to_its_student():
    files, notes = made(canvas_zip, class_of_six())

    assert {canvas_finds(name): page.decode() for name, page in files.items()} == {
        ("48213", "9100417"): f"<p>{AMARA.key}</p>",
        ("48250", "9100500"): f"<p>{JISOO.key}</p>",
        ("48220", "9100533"): f"<p>{FORMULA.key}</p>",
        ("48260", "77"): f"<p>{ZOE.key}</p>",
    }
    assert [MANS.key in note for note in notes] == [True]


def test_moodle_gives_every_page_to_its_student():
    rows = class_of_six("moodle")
    files, notes = made(moodle_zip, rows)

    handed_in = [one.who.key for one in rows if one.page]
    assert [moodle_finds(name) for name in files] == [(key, "feedback.html") for key in handed_in]
    assert notes == ()


@pytest.mark.parametrize("write", [canvas_zip, moodle_zip])
def test_names_are_as_they_were(write):
    platform = write.__name__.removesuffix("_zip")
    files, notes = made(write, class_of_six(platform))
    compare(f"feedback_{platform}.txt", "\n".join([*files, *notes, ""]).encode())


def test_same_pages_give_the_same_bytes():
    first, second = io.BytesIO(), io.BytesIO()
    canvas_zip(class_of_six(), first)
    canvas_zip(class_of_six(), second)
    assert first.getvalue() == second.getvalue()


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("lindqvistmåns_48231_9100610_lab two.zip", "lindqvistmåns_48231_9100610_feedback.html"),
        ("wrapper/brennan_LATE_48220_9100533_1_2.py", "brennan_LATE_48220_9100533_feedback.html"),
        ("LATE_anon_Zq81a_9100701_block.py", "LATE_anon_Zq81a_9100701_feedback.html"),
        ("48231_9100610_link.py", "48231_9100610_feedback.html"),
        ("parkjisoo_48250_text.html", None),
        ("silvarocha_48251_link.html", None),
        ("block.py", None),
    ],
)
def test_canvas_name_keeps_what_canvas_wrote(source, name):
    assert canvas_name(replace(row(AMARA, 2.0, 5.0, 3.0), sources=(source,))) == name


@pytest.mark.parametrize(
    ("source", "name"),
    [
        (
            "Amara Oduya_771204_assignsubmission_file_my_block.py",
            "Amara Oduya_771204_assignsubmission_file_feedback.html",
        ),
        ("Amara Oduya_771204_assignsubmission_file_/b.py", "Amara Oduya_771204_assignsubmission_file_feedback.html"),
        (
            "w/Jean-Luc O'Brien_7_assignsubmission_onlinetext/o.html",
            "Jean-Luc O'Brien_7_assignsubmission_file_feedback.html",
        ),
        (
            "aoduya_Amara Oduya_771204_assignsubmission_file/b.py",
            "Amara Oduya_771204_assignsubmission_file_feedback.html",
        ),
        ("block.py", None),
    ],
)
def test_moodle_name_keeps_what_moodle_wrote(source, name):
    assert moodle_name(replace(row(AMARA, 2.0, 5.0, 3.0), sources=(source,))) == name


@pytest.mark.parametrize("name", ["", "a_1_b/c", "../../x", ".hidden", "~x", "a\\b:c", "\n"])
def test_any_name_of_a_student_is_usable_for_moodle(name):
    files, _ = made(moodle_zip, [row(Who("12", "moodle-flat", name), 2.0, 5.0, 3.0)])
    assert [moodle_finds(one) for one in files] == [("12", "feedback.html")]
    assert not any("/" in one or "\\" in one for one in files)


def test_student_without_a_name_is_a_participant():
    assert moodle_name(row(Who("12", "moodle-flat", "~"), 2.0, 5.0, 3.0)).startswith("Participant_12_")


def test_second_page_of_one_name_is_noted():
    files, notes = made(moodle_zip, [row(Who("12", "moodle-flat", "A"), 2.0, 5.0, 3.0)] * 2)
    assert len(files) == 1
    assert "same name" in notes[0]


def test_student_without_a_page_is_noted():
    _, notes = made(canvas_zip, [replace(class_of_six()[0], page=None)])
    assert ["no page" in note for note in notes] == [True]


def test_one_page_is_read_at_a_time():
    read = []
    rows = (replace(one, page=lambda key=one.who.key: read.append(key) or b"x") for one in class_of_six())
    next_row = iter(rows)
    assert read == []
    canvas_zip(next_row, io.BytesIO())
    assert read == [AMARA.key, JISOO.key, FORMULA.key, ZOE.key]
