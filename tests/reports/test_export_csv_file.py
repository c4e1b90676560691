"""A foreign CSV file is read as the csv module reads it, and only the cells that are asked for change."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.export.csv_file import read_csv
from reports.export.outcome import ExportError

RAW = st.text(alphabet='ab é",;\t\r\n', max_size=60)
TABLES = st.lists(st.lists(st.text(alphabet='aé",;\r\n ', max_size=5), min_size=3, max_size=3), min_size=1, max_size=5)


def rows_of(text: str, delimiter: str) -> list[list[str]]:
    return [one for one in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if one]


@given(RAW)
def test_cells_are_those_of_the_csv_module(text):
    try:
        file = read_csv(text.encode())
    except ExportError:
        return  # empty, or a quote that never ends: `test_other_files_are_refused`
    assert [[cell.text for cell in line] for line in file.lines] == rows_of(text, file.delimiter)
    assert file.with_cells({}, bom=False) == text.encode()


@given(TABLES, st.data())
def test_replaced_cells_are_read_back_and_others_stay(table, data):
    out = io.StringIO()
    csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows(table)
    line = data.draw(st.integers(0, len(table) - 1))
    value = data.draw(st.text(alphabet='1.,;"\n', min_size=1, max_size=5))

    changed = read_csv(out.getvalue().encode()).with_cells(
        {(line, 1): value, (line, 4): "x", (line, 5): "y"}, bom=False
    )

    table[line] = [table[line][0], value, table[line][2], "", "x", "y"]
    assert rows_of(changed.decode(), ",") == table


@pytest.mark.parametrize("data", [b"", b"\r\n", b'a,"b\nc', b"\xe9"])
def test_other_files_are_refused(data):
    with pytest.raises(ExportError):
        read_csv(data)


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_delimiter_is_what_divides_the_first_line(delimiter):
    assert read_csv(f"a{delimiter}b{delimiter}c\n1,5;2\t3\n".encode()).delimiter == delimiter
