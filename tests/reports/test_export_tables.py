"""CSV for people and JSON Lines for programs."""

import csv
import io
import json
from dataclasses import replace

import pytest
from class_records import sample
from export_class import FORMULA, GRADES, MANS, SILVA, class_of_six, compare, row

from reports.export.json_lines import write_json_lines
from reports.export.rows import Who, row_of
from reports.export.tables import Checks, checks_of, write_long, write_wide


def wide(rows) -> bytes:
    out = io.BytesIO()
    write_wide(iter(rows), checks_of(rows), out)
    return out.getvalue()


def long(rows) -> bytes:
    out = io.BytesIO()
    write_long(iter(rows), out)
    return out.getvalue()


def json_lines(rows) -> bytes:
    out = io.BytesIO()
    write_json_lines(iter(rows), out)
    return out.getvalue()


def read(data: bytes) -> list[dict[str, str]]:
    assert data.startswith(b"\xef\xbb\xbf")
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))


@pytest.mark.parametrize(("name", "write"), [("wide.csv", wide), ("long.csv", long), ("grades.jsonl", json_lines)])
def test_file_is_as_it_was(name, write):
    compare(name, write(class_of_six()))


def test_wide_table_gives_every_grade_back():
    read_back = {one["key"]: one["points"] for one in read(wide(class_of_six()))}
    assert read_back == {who.key: f"{points:g}" for who, points in GRADES.items()} | {MANS.key: "", SILVA.key: ""}


def test_wide_table_has_a_column_for_each_check():
    mans = next(one for one in read(wide(class_of_six())) if one["key"] == MANS.key)
    assert {name: cell for name, cell in mans.items() if name.startswith("residual_add")} == {
        "residual_add": "",
        "residual_add.keeps_the_shape": "2",
        "residual_add.adds_the_input_back": "",
        "residual_add.gradient_reaches_the_input": "3",
    }


def test_long_table_gives_every_check_back():
    rows = class_of_six()
    read_back = [(one["key"], one["check"], one["verdict"], one["points"]) for one in read(long(rows)) if one["check"]]
    assert read_back == [
        (one.who.key, check.name, check.verdict, {None: "", 2.999: "2.99"}.get(check.points, f"{check.points or 0:g}"))
        for one in rows
        for exercise in one.exercises
        for check in exercise.checks
    ]


def test_who_handed_in_nothing_has_a_row():
    assert [one["check"] for one in read(long(class_of_six())) if one["key"] == SILVA.key] == [""]
    assert [one["state"] for one in read(wide(class_of_six())) if one["key"] == SILVA.key] == ["missing"]


@pytest.mark.parametrize("write", [wide, long])
def test_no_cell_starts_a_formula(write):
    hostile = replace(row_of(sample("hostile"), Who("@x", name="+cmd|' /C calc'!A0", login="\t=1", number="-1+1")))
    cells = [
        cell for line in csv.reader(io.StringIO(write([*class_of_six(), hostile]).decode("utf-8-sig"))) for cell in line
    ]
    assert [cell for cell in cells if cell.lstrip().startswith(("=", "+", "-", "@", "\t", "\r"))] == []


def test_id_that_is_a_formula_is_left_out_and_noted():
    out = io.BytesIO()
    written = write_wide(class_of_six(), checks_of(class_of_six()), out)
    formula = next(one for one in read(out.getvalue()) if one["key"] == FORMULA.key)
    assert (formula["login"], formula["email"]) == ("", FORMULA.email)
    assert [note.count("login") for note in written.notes] == [1]


def test_check_without_a_column_is_noted():
    out = io.BytesIO()
    written = write_wide([row(MANS, 2.0, 5.0, 3.0)], Checks((("residual_add", ("keeps_the_shape",)),)), out)
    assert ["residual_add.adds_the_input_back" in note for note in written.notes] == [True]


def test_json_lines_give_every_grade_back():
    objects = [json.loads(line) for line in json_lines(class_of_six()).splitlines()]
    assert {one["key"]: one["points"] for one in objects} == {who.key: points for who, points in GRADES.items()} | {
        MANS.key: None,
        SILVA.key: None,
    }
    assert [check["points"] for check in objects[3]["exercises"][0]["checks"]] == [2.0, None, 3.0]
    assert objects[2]["login"] == FORMULA.login


@pytest.mark.parametrize("write", [wide, long, json_lines])
def test_a_name_of_half_a_character_is_written(write):
    assert write([row(Who("x", name="a\ud800"), 2.0, 5.0, 3.0)])


def test_rows_are_taken_one_by_one():
    """A row is written before the next one is made."""
    out = io.BytesIO()
    sizes = []

    def rows():
        for one in class_of_six():
            sizes.append(out.tell())
            yield one

    write_long(rows(), out)
    assert sizes == sorted(set(sizes))
