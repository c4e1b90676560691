"""Archives that students hand in: opened where that is safe, told with a reason where it is not."""

import bz2
import gzip
import io
import lzma
import tarfile

import class_archives as made
import pytest

from grader.intake.classes import filling

CODE = made.CODE
FOLDER = made.FOLDER


def reasons(contents):
    return {one.path: one.reason for one in contents.skipped}


def tarred(*members):
    """The bytes of a tar with these (TarInfo or name, bytes) pairs."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, content in members:
            info = name if isinstance(name, tarfile.TarInfo) else tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return data.getvalue()


def special(name, kind):
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, "/etc/passwd"
    return info


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress])
@pytest.mark.parametrize("long", [False, True])
def test_a_tar_is_opened_however_it_is_packed(handed_in_by_ada, pack, long):
    path = f"{'lab' * 60 if long else 'lab'}/bl\u00f6ck.py"
    contents = handed_in_by_ada(("work.tar.gz", pack(tarred((path, CODE), ("lab/notes.md", b"x")))))
    assert contents.files == {path: CODE}


def test_a_gnu_tar_with_a_long_name_is_opened(handed_in_by_ada):
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w", format=tarfile.GNU_FORMAT) as archive:
        info = tarfile.TarInfo(f"{'long' * 40}/block.py")
        info.size = len(CODE)
        archive.addfile(info, io.BytesIO(CODE))
    assert handed_in_by_ada(("work.tar", data.getvalue())).files == {f"{'long' * 40}/block.py": CODE}


def test_what_is_bad_in_a_tar_is_passed_by_with_a_reason(handed_in_by_ada):
    members = [
        ("block.py", CODE),
        ("../evil.py", CODE),
        (special("link.py", tarfile.SYMTYPE), b""),
        (special("hard.py", tarfile.LNKTYPE), b""),
        (special("pipe.py", tarfile.FIFOTYPE), b""),
    ]
    contents = handed_in_by_ada(("work.tar", tarred(*members)))
    assert contents.files == {"block.py": CODE}
    assert reasons(contents) == {
        "../evil.py": "path escapes the archive",
        "link.py": "symbolic link or device",
        "hard.py": "symbolic link or device",
        "pipe.py": "symbolic link or device",
    }


def test_what_is_bad_in_a_students_zip_is_passed_by_with_a_reason(handed_in_by_ada):
    members = [(b"block.py", CODE, 0, 0o100644), (b"../evil.py", CODE, 0, 0), (b"l.py", b"x", 0, 0o120777)]
    contents = handed_in_by_ada(("work.zip", made.raw_zip(members)))
    assert contents.files == {"block.py": CODE}
    assert reasons(contents) == {"../evil.py": "path escapes the archive", "l.py": "symbolic link or device"}


def test_files_beside_an_archive_keep_apart_from_those_inside(handed_in_by_ada):
    contents = handed_in_by_ada(("block.py", b"# mine\n"), ("work.zip", made.zipped([("block.py", CODE)])))
    assert contents.files == {"block.py": b"# mine\n", "work.zip/block.py": CODE}


def test_a_zip_within_a_zip_is_opened_and_the_next_one_is_not(handed_in_by_ada):
    deep = made.zipped([("block.py", CODE)])
    for _ in range(2):
        deep = made.zipped([("inner.zip", deep)])
    contents = handed_in_by_ada(("one.zip", made.zipped([("two.zip", made.zipped([("block.py", CODE)]))])))
    assert contents.files == {"block.py": CODE}
    assert reasons(handed_in_by_ada(("work.zip", deep))) == {"inner.zip": "archives inside archives are opened 2 deep"}


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.rar", b"Rar!\x1a\x07\x01\x00", "damaged"),
        ("a.7z", b"7z\xbc\xaf\x27\x1c\0\4", "damaged"),
        ("a.zip", b"Rar!\x1a\x07\x00", "damaged"),
        ("a.zip", b"PK\3\4" + b"x" * 60, "damaged"),
        ("a.zip", b"", "damaged"),
        ("a.tar.gz", gzip.compress(b"no tar at all" * 60), "damaged"),
        ("a.tar.gz", gzip.compress(tarred(("block.py", CODE)))[:-20], "damaged"),
        ("a.tar.xz", lzma.compress(tarred(("block.py", CODE)))[:-20], "damaged"),
        ("a.tar", tarred(("block.py", CODE * 400))[:3000], "damaged"),
    ],
    ids=["rar cut", "7z cut", "rar named zip cut", "no zip", "empty", "no tar", "gz cut", "xz cut", "tar cut"],
)
def test_an_archive_that_cannot_be_opened_says_why(handed_in_by_ada, name, data, said):
    contents = handed_in_by_ada((name, data))
    assert contents.files == {}
    assert any(said in reason for reason in reasons(contents).values())


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lambda data: made.zipped([("x.tar", data)])])
def test_an_archive_that_unpacks_to_far_more_than_it_is_is_passed_by(handed_in_by_ada, pack):
    data = tarred(("a.py", CODE), ("big.bin", b"\0" * (8 << 20)))
    contents = handed_in_by_ada(("work.tar.gz" if pack in (gzip.compress, bz2.compress) else "work.zip", pack(data)))
    assert contents.files == {}
    assert any("far" in reason for reason in reasons(contents).values())


def test_archives_that_are_too_large_together_are_passed_by(handed_in_by_ada, monkeypatch):
    monkeypatch.setattr(filling, "MOST_ARCHIVE_BYTES", 300)
    inner = made.zipped([("block.py", CODE)])
    contents = handed_in_by_ada(*((f"{number}.zip", inner) for number in range(4)))
    assert 0 < len(contents.files) < 4
    assert any(reason.startswith("larger than") for reason in reasons(contents).values())


def test_a_virtual_environment_in_a_students_archive_counts_once(handed_in_by_ada):
    packages = [(f"env/lib/{number}.py", b"") for number in range(2100)]
    contents = handed_in_by_ada(
        ("work.zip", made.zipped([("block.py", CODE), ("env/pyvenv.cfg", b""), *packages])), ("n.md", b"")
    )
    assert contents.files == {"block.py": CODE}
    assert reasons(contents)["work.zip/env"] == "a virtual environment: installed packages"


def test_a_tar_made_of_garbage_never_ends_in_anything_but_a_reason(handed_in_by_ada):
    good = bytearray(tarred(("block.py", CODE), ("b.py", CODE)))
    for at in (0, 100, 124, 135, 148, 156, 257, 512, 1024, 1148, 1180):
        bad = bytearray(good)
        bad[at] ^= 0xFF
        contents = handed_in_by_ada(("work.tar", bytes(bad)))
        assert contents.files or contents.skipped
