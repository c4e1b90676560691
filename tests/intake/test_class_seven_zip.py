"""7z archives of students, where what reads them is installed: as safe as the others, in a process of their own."""

import io
import zlib

import class_archives as made
import py7zr
import pytest

from grader.intake.classes import unpacking

CODE = made.CODE
FOLDER = made.FOLDER
OUTLIVES = "import pathlib, threading; threading.Event().wait(20); pathlib.Path({!r}).touch()"


def reasons(contents):
    return {one.path: one.reason for one in contents.skipped}


def seven_zipped(*members, **options):
    """The bytes of a 7z with these (name, bytes) pairs, whatever the names are."""
    data = io.BytesIO()
    with py7zr.SevenZipFile(data, "w", **options) as archive:
        for name, content in members:
            archive.writestr(content, "x" * len(name))
    plain = data.getvalue()
    for name, _ in members:
        plain = plain.replace(("x" * len(name)).encode("utf-16-le"), name.encode("utf-16-le"), 1)
    start = 32 + int.from_bytes(plain[12:20], "little")
    header = plain[start : start + int.from_bytes(plain[20:28], "little")]
    place = plain[12:28] + zlib.crc32(header).to_bytes(4, "little")
    return plain[:8] + zlib.crc32(place).to_bytes(4, "little") + place + plain[32:]


@pytest.fixture
def plain_header(monkeypatch):
    """Names of files stand in the archive as they are, so that a test can write others."""
    monkeypatch.setattr(py7zr.SevenZipFile, "_write_header", _plain(py7zr.SevenZipFile._write_header))


def _plain(write):
    def unpacked(archive):
        archive.set_encoded_header_mode(False)
        return write(archive)

    return unpacked


@pytest.mark.parametrize("solid", [None, [{"id": py7zr.FILTER_COPY}]])
def test_a_7z_is_opened_like_any_other(handed_in_by_ada, plain_header, solid):
    path = "läb/block.py"
    members = [("notes.md", b"# x"), (path, CODE), ("empty.py", b""), ("x.zip", made.zipped([("b.py", CODE)]))]
    members.append(("knowledge_check.toml", b"a = 1"))
    contents = handed_in_by_ada(("work.7z", seven_zipped(*members, filters=solid)))
    assert contents.files == {path: CODE, "empty.py": b"", "x.zip/b.py": CODE, "knowledge_check.toml": b"a = 1"}
    assert list(reasons(contents)) == ["notes.md"]


def test_what_is_bad_in_a_7z_is_passed_by_with_a_reason(handed_in_by_ada, plain_header):
    members = [("block.py", CODE), ("../evil.py", CODE), ("/etc/evil.py", CODE), ("block.py", b"another")]
    contents = handed_in_by_ada(("work.7z", seven_zipped(*members)))
    assert contents.files == {"block.py": CODE}
    assert reasons(contents) == {"../evil.py": "path escapes the archive", "/etc/evil.py": "path escapes the archive"}


@pytest.mark.parametrize("header", [False, True])
def test_a_7z_with_a_password_says_so(handed_in_by_ada, header):
    data = io.BytesIO()
    locked = {"password": "secret", "header_encryption": header}
    with py7zr.SevenZipFile(data, "w", **locked) as archive:
        archive.writestr(CODE, "block.py")
    contents = handed_in_by_ada(("work.7z", data.getvalue()))
    assert reasons(contents) == {"work.7z": "locked with a password; ask for one without"}


def test_a_7z_that_unpacks_to_far_more_than_it_is_is_passed_by(handed_in_by_ada, plain_header):
    contents = handed_in_by_ada(("work.7z", seven_zipped(("a.py", b"\0" * (32 << 20)))))
    assert contents.files == {}
    assert reasons(contents) == {"work.7z": "it unpacks to far too much"}


def test_a_link_in_a_7z_is_passed_by_with_a_reason(handed_in_by_ada, tmp_path):
    (tmp_path / "block.py").write_bytes(CODE)
    (tmp_path / "l.py").symlink_to("block.py")
    data = io.BytesIO()
    with py7zr.SevenZipFile(data, "w") as archive:
        for name in ("block.py", "l.py"):
            archive.write(tmp_path / name, name)
    contents = handed_in_by_ada(("work.7z", data.getvalue()))
    assert contents.files == {"block.py": CODE}
    assert reasons(contents) == {"l.py": "symbolic link or device"}


@pytest.mark.parametrize("child_does", ["while True: pass", "subprocess.run([sys.executable, '-Ic', {!r}])"])
def test_a_7z_that_takes_too_long_is_passed_by(handed_in_by_ada, monkeypatch, tmp_path, child_does):
    child, outlived = tmp_path / "child.py", tmp_path / "outlived"
    child.write_text("import subprocess, sys\n" + child_does.format(OUTLIVES.format(str(outlived))))
    monkeypatch.setattr(unpacking, "_CHILD", child)
    monkeypatch.setattr(unpacking, "SECONDS", 0.3)
    contents = handed_in_by_ada(("work.7z", seven_zipped(("block.py", CODE))))
    assert reasons(contents) == {"work.7z": "damaged, or too much to unpack; ask for a .zip"}
    assert not outlived.exists()


def test_a_7z_made_of_garbage_never_ends_in_anything_but_a_reason(handed_in_by_ada):
    good = seven_zipped(("block.py", CODE * 9), ("b.py", CODE))
    for at in range(0, len(good), max(1, len(good) // 12)):
        bad = bytearray(good)
        bad[at] ^= 0xFF
        contents = handed_in_by_ada(("work.7z", bytes(bad)))
        assert contents.files or contents.skipped


@pytest.mark.parametrize(("name", "mark"), [("7z", b"7z\xbc\xaf\x27\x1c"), ("RAR", b"Rar!\x1a\x07\x01\x00")])
def test_without_the_extra_the_sentence_names_it(handed_in_by_ada, class_zip, monkeypatch, name, mark):
    monkeypatch.setattr(unpacking, "find_spec", lambda _: None)
    file, install = f"work.{name.lower()}", "install what reads it: pip install 'residual-grader[archives]'"
    handed_in = class_zip([(f"{FOLDER}/{file}", mark)])
    assert handed_in.hand_ins[0].attention == (
        f"`{file}` is a {name} archive, which is not opened. Ask for a .zip (or {install}).",
    )
    contents = handed_in_by_ada((file, mark), ("block.py", CODE))
    assert contents.files == {"block.py": CODE}
    assert reasons(contents) == {file: f"a {name} archive, which is not opened; ask for a .zip, or {install}"}
