"""Zips that are made to hurt: what is bad in them is listed with its reason, and the rest counts."""

import io
import random
import struct
import time
import zipfile
from contextlib import suppress

import pytest

from grader.errors import IntakeError
from grader.intake import accept, contents
from grader.intake.archive import read_archive

CLASS = "class ResidualAdd:\n    pass\n"
CENTRAL, END = b"PK\x01\x02", b"PK\x05\x06"
# The header, the place of the field in it, and its form.
FIELDS = {
    "local flags": (b"PK\x03\x04", 6, "<H"),
    "local name": (b"PK\x03\x04", 30, "<4s"),
    "flags": (CENTRAL, 8, "<H"),
    "method": (CENTRAL, 10, "<H"),
    "checksum": (CENTRAL, 16, "<L"),
    "size": (CENTRAL, 24, "<L"),
    "extra": (CENTRAL, 30, "<H"),
    "offset": (CENTRAL, 42, "<L"),
    "entries": (END, 8, "<L"),
    "table size": (END, 12, "<L"),
}


def packed(*members, method=zipfile.ZIP_DEFLATED, force_zip64=False):
    """The bytes of a zip with these (name, text) pairs."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", method) as archive:
        for name, text in members:
            with archive.open(name, "w", force_zip64=force_zip64) as stream:
                stream.write(text if isinstance(text, bytes) else text.encode())
    return data.getvalue()


def changed(data, field, value, number=0):
    """The same with one field of the first (0) or the second (1) such header overwritten."""
    mark, offset, form = FIELDS[field]
    at = data.index(mark)
    if number:
        at = data.index(mark, at + 1)
    data = bytearray(data)
    struct.pack_into(form, data, at + offset, value)
    return bytes(data)


@pytest.fixture
def read(tmp_path, course):
    """Takes in a zip of these bytes."""

    def accept_bytes(data):
        (tmp_path / "work.zip").write_bytes(data)
        return accept(tmp_path / "work.zip", course)

    return accept_bytes


def reasons(submission):
    return {one.path: one.reason for one in submission.skipped}


def locked(data, number=1):
    return changed(changed(data, "flags", 1, number), "local flags", 1, number)


def beyond(data):
    """The second member begins where no file can: at an offset of 2⁶³, told by a zip64 field."""
    first, end = data.index(CENTRAL), data.index(END)
    second = data.index(CENTRAL, first + 1)
    entry = changed(changed(data[second:end], "offset", 0xFFFFFFFF), "extra", 12)
    table = data[first:second] + entry + struct.pack("<HHQ", 1, 8, 1 << 63)
    return data[:first] + table + changed(data[end:], "table size", len(table))


@pytest.mark.parametrize(
    ("harm", "reason"),
    [
        (locked, "locked with a password"),
        (lambda data: changed(data, "method", zipfile.ZIP_LZMA, 1), "packed in a way"),
        (lambda data: changed(data, "method", zipfile.ZIP_BZIP2, 1), "packed in a way"),
        (lambda data: changed(data, "checksum", 12345, 1), "damaged"),
        (lambda data: changed(data, "local name", b"evil", 1), "damaged"),
        (lambda data: changed(data, "offset", 1 << 30, 1), "damaged"),
        (beyond, "damaged"),
    ],
    ids=["password", "lzma", "bzip2", "checksum", "two names", "offset", "offset beyond all files"],
)
def test_one_bad_member_is_listed_and_the_others_count(read, harm, reason):
    submission = read(harm(packed(("residual_add.py", CLASS), ("z.py", "x = 1"))))
    assert [file.path for file in submission.files] == ["residual_add.py"]
    assert list(reasons(submission)) == ["z.py"]
    assert reason in reasons(submission)["z.py"]


def test_if_all_are_locked_the_refusal_says_so(read):
    with pytest.raises(IntakeError, match=r"residual_add.py` \(locked with a password; pack the zip without one\)"):
        read(locked(packed(("residual_add.py", CLASS)), 0))


def test_a_header_that_states_a_smaller_size_brings_no_more_than_that(read):
    data = packed(("residual_add.py", CLASS), ("z.py", b"#" * 5000), method=zipfile.ZIP_STORED)
    submission = read(changed(data, "size", 10, 1))
    assert reasons(submission) == {"z.py": "damaged: it cannot be unpacked"}


def test_members_that_share_their_bytes_count_each(tmp_path, monkeypatch):
    monkeypatch.setattr(contents, "MOST_BYTES", 1 << 20)
    data = packed(("a.ipynb", b"\0" * (300 << 10)))
    start, end = data.index(CENTRAL), data.index(END)
    table = data[start:end] * 2000
    end_record = changed(changed(data[end:], "table size", len(table)), "entries", 2000 | 2000 << 16)
    (tmp_path / "work.zip").write_bytes(data[:start] + table + end_record)
    found = read_archive(tmp_path / "work.zip")
    assert sum(map(len, found.files.values())) <= 1 << 20


@pytest.mark.parametrize(
    "names",
    [["_" * 60_000 + "x.csv"], ["_" * 60_000 + ".py"], ["_" * 290 + f"{number}.csv" for number in range(1500)]],
    ids=["another kind", "a source", "many"],
)
def test_endless_names_take_no_time_and_are_cut(read, names):
    begun = time.monotonic()
    submission = read(packed(("residual_add.py", CLASS), *((name, "") for name in names)))
    assert time.monotonic() - begun < 5
    assert max(len(path) for path in reasons(submission)) <= 300


def test_a_source_with_an_endless_name_says_why_it_is_passed_by(read):
    submission = read(packed(("residual_add.py", CLASS), ("d/" + "y" * 400 + ".py", CLASS)))
    assert list(reasons(submission).values()) == ["its name is longer than 300 characters"]


def test_paths_of_thousands_of_folders_are_refused_at_once(read):
    begun = time.monotonic()
    with pytest.raises(IntakeError, match="more than 12 deep"):
        read(packed(*(("a/" * 32_000 + f"{number}.py", "") for number in range(30))))
    assert time.monotonic() - begun < 5


def test_packages_that_lie_deep_in_a_junk_folder_are_no_trouble(read):
    submission = read(packed(("residual_add.py", CLASS), ("node_modules/" + "a/" * 30 + "b.py", "")))
    assert list(reasons(submission)) == ["node_modules"]


def streamed(name, text):
    """Written as to a pipe: sizes follow the data instead of standing before it."""

    class Pipe(io.BytesIO):
        def seekable(self):
            return False

    data = Pipe()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr(name, text)
    return data.getvalue()


def commented(name, text):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr(name, text)
        archive.comment = END * 16_000
    return data.getvalue()


def in_front(name, text):
    return b"MZ" + b"\0" * 100_000 + packed((name, text))


def zip64(name, text):
    return packed((name, text), force_zip64=True)


@pytest.mark.parametrize("make", [in_front, zip64, streamed])
def test_an_odd_zip_is_read(read, make):
    assert read(make("residual_add.py", CLASS)).works[0].problem is None


def test_a_comment_of_end_marks_is_refused_in_a_sentence(read):
    with pytest.raises(IntakeError, match="damaged, or is no zip"):
        read(commented("residual_add.py", CLASS))


def test_whatever_is_damaged_it_is_read_or_refused(tmp_path):
    draw = random.Random(0)
    whole = [
        packed(("residual_add.py", CLASS * 30), ("d/x.ipynb", "{}"), method=method, force_zip64=zip64)
        for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA)
        for zip64 in (False, True)
    ]
    for _ in range(500):
        data = bytearray(draw.choice(whole))
        for _ in range(draw.choice((1, 2, 8))):
            at = draw.randrange(len(data))
            data[at : at + draw.randrange(5)] = draw.choice((b"", b"\xff" * 4, b"\0" * 4, draw.randbytes(3)))
        (tmp_path / "work.zip").write_bytes(data)
        with suppress(IntakeError):
            read_archive(tmp_path / "work.zip")
