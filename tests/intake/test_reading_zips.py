"""Archives: bounded, never extracted, refused when they try something."""

import stat
import struct
import zipfile

import pytest

from grader.errors import IntakeError
from grader.intake import accept, contents

CLASS = "class ResidualAdd:\n    pass\n"


@pytest.fixture
def zipped(tmp_path, course):
    """Packs (name or ZipInfo, text) pairs and takes the zip in."""

    def pack(*members, method=zipfile.ZIP_DEFLATED):
        path = tmp_path / "work.zip"
        with zipfile.ZipFile(path, "w", method) as archive:
            for name, text in members:
                archive.writestr(name, text)
        return accept(path, course)

    return pack


def reasons(submission):
    return {one.path: one.reason for one in submission.skipped}


def member(name, mode):
    info = zipfile.ZipInfo(name)
    info.create_system = 3
    info.external_attr = mode << 16
    return info


def test_a_zip_is_read_like_a_folder(zipped, hand_in):
    assert zipped(("residual_add.py", CLASS)).digest == hand_in({"residual_add.py": CLASS}).digest


def test_a_wrapper_folder_is_no_trouble(zipped):
    work = zipped(("home work/", ""), ("home work/residual_add.py", CLASS)).works[0]
    assert (work.file.path, work.problem, work.remarks) == ("home work/residual_add.py", None, ())


@pytest.mark.parametrize("name", ["../residual_add.py", "a/../../b.py", "/etc/a.py", "C:/a.py", "C:a.py", "a\\b.py"])
def test_a_name_that_leads_out_is_refused_and_named(zipped, name):
    with pytest.raises(IntakeError, match="leads out of it") as caught:
        zipped((name, CLASS))
    assert name in str(caught.value)


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR, stat.S_IFBLK, stat.S_IFSOCK])
def test_a_link_or_device_is_refused_and_named(zipped, kind):
    with pytest.raises(IntakeError, match=r"link or a device: `x\.py`"):
        zipped((member("x.py", kind | 0o777), "/etc/passwd"))


def test_a_link_in_a_virtual_environment_is_only_passed_by(zipped):
    link = member(".venv/bin/python", stat.S_IFLNK | 0o777)
    assert zipped(("residual_add.py", CLASS), (link, "/usr/bin/python3")).works[0].problem is None


def test_a_password_is_refused(tmp_path, course, zipped):
    zipped(("residual_add.py", CLASS))
    data = bytearray((tmp_path / "work.zip").read_bytes())
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + offset] |= 1
    (tmp_path / "work.zip").write_bytes(data)
    with pytest.raises(IntakeError, match="locked with a password"):
        accept(tmp_path / "work.zip", course)


@pytest.mark.parametrize("cut", [10, 60, 150])
def test_a_truncated_zip_is_refused(tmp_path, course, zipped, cut):
    zipped(("residual_add.py", CLASS))
    path = tmp_path / "work.zip"
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(IntakeError, match="damaged, or is no zip"):
        accept(path, course)


def test_a_member_with_wrong_bytes_is_refused(tmp_path, course, zipped):
    zipped(("residual_add.py", CLASS * 50))
    path = tmp_path / "work.zip"
    data = bytearray(path.read_bytes())
    data[50:54] = b"\xff\xff\xff\xff"
    path.write_bytes(data)
    with pytest.raises(IntakeError, match="damaged"):
        accept(path, course)


def test_a_table_of_contents_that_is_too_long_is_refused(tmp_path, course, zipped):
    zipped(("residual_add.py", CLASS))
    data = (tmp_path / "work.zip").read_bytes()
    start = data.index(b"PK\x01\x02")
    length = 5 << 20
    end = bytearray(data[data.index(b"PK\x05\x06") :])
    struct.pack_into("<L", end, 12, length)
    (tmp_path / "work.zip").write_bytes(data[:start] + data[start:][:46] + b"\0" * (length - 46) + end)
    with pytest.raises(IntakeError, match="table of contents is too long"):
        accept(tmp_path / "work.zip", course)


def test_a_bomb_is_read_no_further_than_its_limit(zipped):
    submission = zipped(("residual_add.py", CLASS), ("bomb.py", b"\0" * (64 << 20)))
    assert reasons(submission) == {"bomb.py": "larger than 256 KiB"}


def test_many_small_bombs_are_refused_by_what_they_hold_together(zipped, monkeypatch):
    monkeypatch.setattr(contents, "MOST_BYTES", 1 << 20)
    with pytest.raises(IntakeError, match="larger than 1 MiB in all"):
        zipped(*((f"{number}.py", b"\n" * (255 << 10)) for number in range(5)))


def test_members_of_other_kinds_are_never_unpacked(zipped):
    submission = zipped(("residual_add.py", CLASS), ("data.bin", b"\0" * (64 << 20)))
    assert reasons(submission) == {"data.bin": "only .py and .ipynb files are read"}


def test_other_ways_of_packing_are_refused(zipped):
    with pytest.raises(IntakeError, match="packed in a way"):
        zipped(("residual_add.py", CLASS), method=zipfile.ZIP_LZMA)


def test_more_than_2000_members_are_refused_with_the_figure(zipped):
    with pytest.raises(IntakeError, match="more than 2,000 files"):
        zipped(*((f"{number}.csv", "") for number in range(2001)))


def test_an_archive_inside_is_recorded_and_not_opened(zipped):
    submission = zipped(("residual_add.py", CLASS), ("more.zip", "PK"))
    assert reasons(submission) == {"more.zip": "an archive inside the archive is not opened"}


def test_names_that_differ_only_in_case_are_read_once(zipped):
    submission = zipped(("residual_add.py", CLASS), ("Residual_Add.py", CLASS))
    assert reasons(submission) == {"residual_add.py": "this name is there twice; the first one was read"}


def test_names_that_differ_only_in_unicode_form_are_read_once(zipped):
    submission = zipped(("residual_add.py", CLASS), ("\u00fc.py", "x = 1"), ("u\u0308.py", "x = 2"))
    assert [file.path for file in submission.files] == ["residual_add.py", "\u00fc.py"]


def test_a_name_without_the_utf8_flag_is_repaired(tmp_path, course, zipped):
    zipped(("m\u00fcller/residual_add.py", CLASS))
    path = tmp_path / "work.zip"
    data = bytearray(path.read_bytes())
    for mark, offset in ((b"PK\x03\x04", 7), (b"PK\x01\x02", 9)):
        data[data.index(mark) + offset] &= ~0x08
    path.write_bytes(data)
    assert accept(path, course).files[0].path == "m\u00fcller/residual_add.py"


def test_junk_is_recorded_once(zipped):
    submission = zipped(("residual_add.py", CLASS), ("__MACOSX/._a.py", ""), ("__MACOSX/b/._c.py", ""))
    assert list(reasons(submission)) == ["__MACOSX"]


def test_a_virtual_environment_is_passed_by_however_large(zipped):
    packages = [(f"env/lib/{number}.py", CLASS) for number in range(2100)]
    submission = zipped(("residual_add.py", CLASS), ("env/pyvenv.cfg", ""), *packages)
    assert reasons(submission) == {"env": "a virtual environment: installed packages"}


def test_nothing_is_written_beside_the_zip(tmp_path, zipped):
    zipped(("residual_add.py", CLASS))
    assert [path.name for path in tmp_path.iterdir()] == ["work.zip"]
