"""RAR archives of students, where what reads them is installed: as safe as the others, in a process of their own."""

import sys
import unicodedata

import class_archives as made
import pytest
from rar_archives import MARK, Member, comment4, comment5, rar4, rar5

from grader.intake.classes import ClassReader, unpacking

CODE = made.CODE
FOLDER = made.FOLDER
MAKERS = pytest.mark.parametrize("rar", [rar4, rar5])
LOCKED = "locked with a password; ask for one without"
SPLIT = "one part of an archive that was split into volumes; ask for a .zip"
DAMAGED = "damaged: it cannot be unpacked; ask for a .zip"
TOO_MUCH = "too much to unpack; ask for a .zip"
TWICE = "this name is there twice; the first one was read"
PROGRAM = f"""#!{sys.executable} -IB
import sys, zlib
if sys.argv[1:] == ["p", "-inul", "-p-", "-cfg-", "--", "members.rar"]:
    for packed in open("members.rar", "rb").read().split({MARK!r})[1:]:
        sys.stdout.buffer.write(zlib.decompressobj().decompress(packed))
"""


def reasons(contents):
    return {one.path: one.reason for one in contents.skipped}


@pytest.fixture
def programs(tmp_path, monkeypatch):
    """Makes these (name=text) the only programs that there are."""
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))

    def write(**texts):
        for name, text in texts.items():
            (folder / name).write_text(text)
            (folder / name).chmod(0o755)

    return write


@MAKERS
def test_a_rar_is_opened_like_any_other(handed_in_by_ada, rar):
    members = [("läb/block.py", CODE), ("empty.py",), ("läb/",), ("x.zip", made.zipped([("b.py", CODE)]))]
    contents = handed_in_by_ada(("work.rar", rar(*members, ("notes.md", b"# x"), ("knowledge_check.toml", b"a = 1"))))
    assert contents.files == {
        "läb/block.py": CODE, "empty.py": b"", "x.zip/b.py": CODE, "knowledge_check.toml": b"a = 1"
    }  # fmt: skip
    assert list(reasons(contents)) == ["notes.md"]


@MAKERS
@pytest.mark.parametrize("name", ["work.zip", "work.7z", "work.tar.gz"])
def test_a_rar_is_known_by_its_content(handed_in_by_ada, rar, name):
    assert handed_in_by_ada((name, rar(("block.py", CODE)))).files == {"block.py": CODE}


@MAKERS
def test_a_rar_in_a_zip_is_opened(handed_in_by_ada, rar):
    inner = made.zipped([("in/work.rar", rar(("block.py", CODE))), ("a.py", CODE)])
    assert handed_in_by_ada(("work.zip", inner)).files == {"in/work.rar/block.py": CODE, "a.py": CODE}


@MAKERS
def test_what_is_bad_in_a_rar_is_passed_by_with_a_reason(handed_in_by_ada, rar):
    leads_out = ["../evil.py", "/etc/evil.py", "C:/evil.py", "..\\evil.py", "in\\..\\..\\evil.py"]
    members = [("block.py", CODE), *((name, CODE) for name in leads_out), ("block.py", b"another")]
    members += [Member("link.py", link="block.py"), Member("device.py", mode=0o020644)]
    contents = handed_in_by_ada(("work.rar", rar(*members)))
    assert contents.files == {"block.py": CODE}
    assert reasons(contents) == {
        **{name.replace("\\", "/"): "path escapes the archive" for name in leads_out},
        "block.py": TWICE,
        **dict.fromkeys(("link.py", "device.py"), "symbolic link or device"),
    }


@pytest.mark.parametrize(
    "name", ["grün2.py".encode("cp437"), "grün2.py".encode(), unicodedata.normalize("NFD", "grün2.py")]
)
def test_names_in_a_rar_are_repaired(handed_in_by_ada, name):
    assert handed_in_by_ada(("work.rar", rar4((name, CODE)))).files == {"grün2.py": CODE}


@pytest.mark.parametrize("data", [rar4(flags=0x80), rar5(locked=True)])
def test_a_rar_whose_names_are_locked_says_so(handed_in_by_ada, data):
    assert reasons(handed_in_by_ada(("work.rar", data))) == {"work.rar": LOCKED}


@MAKERS
@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (Member("bad.py", CODE, locked=True), LOCKED),
        (Member("bad.py", CODE, split=2), SPLIT),
        (Member("bad.py", CODE, split=1), SPLIT),
        (Member("bad.py", CODE, checksum=1), DAMAGED),
    ],
    ids=["locked", "goes on", "begun before", "damaged"],
)
def test_what_cannot_be_read_is_told_and_loses_nothing_else(handed_in_by_ada, rar, bad, reason):
    contents = handed_in_by_ada(("work.rar", rar(bad, ("block.py", CODE), flags=bool(bad.split))))
    assert contents.files == {"block.py": CODE}
    assert reasons(contents) == {"bad.py": reason}
    assert reasons(handed_in_by_ada(("work.rar", rar(bad, ("notes.md", b"x")))))["work.rar"] == reason


@MAKERS
def test_a_rar_that_is_cut_off_gives_what_is_there(handed_in_by_ada, rar):
    data = rar(("block.py", CODE), ("rows.csv", b"1,2\n" * 99))
    contents = handed_in_by_ada(("work.rar", data[:-50]))
    assert contents.files == {"block.py": CODE}
    assert reasons(contents)["…"] == "the rest of the archive is missing or damaged; ask for a .zip"


@pytest.mark.parametrize(
    "data", [rar4(("block.py", CODE), before=comment4()), rar5(("block.py", CODE), before=comment5())]
)
def test_a_comment_that_cannot_be_read_is_in_nobodys_way(handed_in_by_ada, programs, data):
    contents = handed_in_by_ada(("work.rar", data))
    assert contents.files == {"block.py": CODE}
    assert reasons(contents) == {}


@MAKERS
def test_a_file_of_a_rar_that_is_too_large_is_passed_by(handed_in_by_ada, monkeypatch, rar):
    monkeypatch.setattr(unpacking, "MOST_BYTES", 200_000)
    contents = handed_in_by_ada(("work.rar", rar(("big.py", bytes(200_000)), ("block.py", CODE))))
    assert contents.files == {"block.py": CODE}
    assert reasons(contents) == {"big.py": TOO_MUCH}


@MAKERS
@pytest.mark.parametrize("name", ["block.py", "-x.py", "@list.py", "*.py", "; exit.py"])
def test_what_is_compressed_is_unpacked_by_a_program_that_hears_no_name(handed_in_by_ada, programs, rar, name):
    programs(unrar=PROGRAM)
    members = [Member(name, CODE, packed=True), ("b.py", CODE), Member("rows.csv", b"1" * 99, packed=True)]
    contents = handed_in_by_ada(("work.rar", rar(*members)))
    assert contents.files == {name: CODE, "b.py": CODE}
    assert list(reasons(contents)) == ["rows.csv"]


@MAKERS
def test_a_solid_rar_is_unpacked_in_one_go(handed_in_by_ada, programs, rar):
    programs(unrar=PROGRAM)
    names = ("rows.csv", "a.py", "sub/a.py", "b.py")
    members = [Member(name, name.encode() * 9, packed=True, solid=name != "rows.csv") for name in names]
    contents = handed_in_by_ada(("work.rar", rar(*members)))
    assert contents.files == {name: name.encode() * 9 for name in names[1:]}


@MAKERS
def test_what_builds_upon_a_locked_file_is_locked(handed_in_by_ada, programs, rar):
    programs(unrar=PROGRAM)
    members = [Member("a.py", CODE, packed=True), Member("x.csv", CODE, packed=True, solid=True, locked=True)]
    contents = handed_in_by_ada(("work.rar", rar(*members, Member("b.py", CODE, packed=True, solid=True))))
    assert contents.files == {"a.py": CODE}
    assert reasons(contents)["b.py"] == LOCKED


@MAKERS
def test_a_program_that_cannot_is_followed_by_the_next(handed_in_by_ada, programs, rar):
    other = PROGRAM.replace('["p", "-inul", "-p-", "-cfg-", "--", "members.rar"]', '["-x", "-O", "-f", "members.rar"]')
    programs(unrar=f"#!{sys.executable}\nprint('x' * 999)\n", unar="no program\0", bsdtar=other)
    contents = handed_in_by_ada(("work.rar", rar(Member("block.py", CODE, packed=True))))
    assert contents.files == {"block.py": CODE}


@MAKERS
def test_without_a_program_the_sentence_names_some(handed_in_by_ada, programs, rar):
    packed = Member("packed.py", CODE, packed=True)
    contents = handed_in_by_ada(("work.rar", rar(packed, ("block.py", CODE), Member("empty.py", packed=True))))
    assert contents.files == {"block.py": CODE, "empty.py": b""}
    assert reasons(contents) == {
        "packed.py": "compressed, and nothing that unpacks RAR is here; "
        "install unrar, unar, 7-Zip or bsdtar, or ask for a .zip"
    }
    assert list(reasons(handed_in_by_ada(("work.rar", rar(packed, packed._replace(name="b.py")))))) == ["work.rar"]


@MAKERS
@pytest.mark.parametrize("works", [True, False])
def test_what_no_program_unpacks_is_told(handed_in_by_ada, programs, rar, works):
    programs(unrar=PROGRAM if works else f"#!{sys.executable}\nraise SystemExit(3)\n")
    members = [Member("bad.py", CODE, packed=True, checksum=1 if works else None), ("block.py", CODE)]
    contents = handed_in_by_ada(("work.rar", rar(*members)))
    assert contents.files == {"block.py": CODE}
    assert "install unrar or unar, or ask for a .zip" in reasons(contents)["bad.py"]


@MAKERS
def test_a_program_that_takes_too_long_loses_nothing_else(handed_in_by_ada, programs, monkeypatch, rar):
    programs(unrar=f"#!{sys.executable}\nwhile True: pass\n")
    monkeypatch.setattr(unpacking, "SECONDS", 4)
    contents = handed_in_by_ada(("work.rar", rar(Member("slow.py", CODE, packed=True), ("block.py", CODE))))
    assert contents.files == {"block.py": CODE}
    assert reasons(contents) == {"slow.py": TOO_MUCH}


@MAKERS
def test_a_program_can_write_nothing_and_goes_on(handed_in_by_ada, programs, tmp_path, rar):
    written = tmp_path / "written"
    programs(unrar=f'#!/bin/sh\nprintf x > \'{written}\'\nexec "$0"ar "$@"\n', unrarar=PROGRAM)
    contents = handed_in_by_ada(("work.rar", rar(Member("block.py", CODE, packed=True))))
    assert contents.files == {"block.py": CODE}
    assert written.read_bytes() == b""


@MAKERS
def test_a_rar_that_unpacks_to_far_more_than_it_is_is_passed_by(handed_in_by_ada, programs, rar):
    programs(unrar=PROGRAM)
    contents = handed_in_by_ada(("work.rar", rar(Member("a.py", bytes(32 << 20), packed=True))))
    assert contents.files == {}
    assert reasons(contents) == {"work.rar": "it unpacks to far too much"}


@MAKERS
def test_a_rar_made_of_garbage_never_ends_in_anything_but_a_reason(handed_in_by_ada, programs, rar):
    good = rar(("block.py", CODE), Member("b.py", CODE, packed=True))
    for at in range(7, len(good), 11):
        bad = bytearray(good)
        bad[at] ^= 0xFF
        contents = handed_in_by_ada(("work.rar", bytes(bad)))
        assert contents.files or contents.skipped


@pytest.mark.parametrize(
    ("layout", "members"),
    [
        ("canvas", ["oduyaamara_48213_9100417_work.rar"]),
        ("moodle-flat", ["Amara Oduya_771204_assignsubmission_file_work.rar"]),
        ("brightspace", ["12345-678 - Amara Oduya - Sep 14, 2026 1151 PM - work.rar"]),
        ("nbgrader", ["submitted/ada/lab2/work.rar"]),
        ("plain", ["ada.rar", "joe.rar"]),
    ],
)
def test_a_rar_is_opened_in_what_each_platform_hands_out(class_zip, layout, members):
    handed_in = class_zip([(name, rar5(("block.py", CODE))) for name in members])
    assert handed_in.layout == layout
    with ClassReader(handed_in) as reader:
        assert [reader.contents(one).files for one in handed_in.hand_ins] == [{"block.py": CODE}] * len(members)
