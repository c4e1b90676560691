"""Folders that are made to lead elsewhere, to hold the reader up, or to change while they are read."""

import os
import stat
import threading

import pytest

from grader.errors import IntakeError
from grader.intake import accept, folder, names

CLASS = "class ResidualAdd:\n    pass\n"
BY_DESCRIPTOR = pytest.mark.skipif(not folder._BY_DESCRIPTOR, reason="this system opens files by their paths only")


def reasons(submission):
    return {one.path: one.reason for one in submission.skipped}


@pytest.fixture
def root(tmp_path, hand_in):
    """The folder that `hand_in` reads, with one good file in it."""
    hand_in({"residual_add.py": CLASS})
    return tmp_path / "handed in"


def node(path, kind):
    try:
        os.mknod(path, kind | 0o600, os.makedev(1, 5))
    except PermissionError:
        pytest.skip("only root makes devices")


@pytest.mark.parametrize("kind", [stat.S_IFSOCK, stat.S_IFCHR, stat.S_IFBLK, stat.S_IFIFO])
def test_what_is_no_plain_file_is_not_opened(root, hand_in, kind):
    node(root / "z.py", kind)
    assert reasons(hand_in({})) == {"z.py": "not a plain file"}


@pytest.mark.parametrize("target", ["residual_add.py", "/etc/passwd", "/dev/zero", ".", "..", "/", "z.py", "nowhere"])
def test_no_link_is_followed_wherever_it_leads(root, hand_in, target):
    (root / "z.py").symlink_to(target)
    assert reasons(hand_in({})) == {"z.py": "a link; links are not followed"}


@BY_DESCRIPTOR
def test_a_folder_that_becomes_a_link_before_it_is_opened_is_not_followed(tmp_path, root, hand_in, monkeypatch):
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "stolen.py").write_text(CLASS)
    (root / "lib").mkdir()

    def swap(name):
        if (root / "lib").is_dir():
            (root / "lib").rmdir()
            (root / "lib").symlink_to(tmp_path / "secret")

    monkeypatch.setattr(names, "why_skip_folder", swap)
    submission = hand_in({})
    assert [file.path for file in submission.files] == ["residual_add.py"]
    assert "cannot be read" in reasons(submission)["lib"]


@BY_DESCRIPTOR
def test_a_folder_that_becomes_a_link_while_it_is_read_leads_nowhere(tmp_path, root, hand_in, monkeypatch):
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "a.py").write_text("SECRET = 1")
    (root / "lib").mkdir()
    (root / "lib" / "a.py").write_text("x = 1")

    def swap(path, container):
        if path == "lib/a.py":
            (root / "lib").rename(tmp_path / "away")
            (root / "lib").symlink_to(tmp_path / "secret")

    monkeypatch.setattr(names, "why_skip_file", swap)
    assert "SECRET" not in repr(hand_in({}))


@pytest.mark.parametrize("becomes", ["a link", "a pipe", "a folder"])
def test_a_file_that_becomes_something_else_before_it_is_opened_is_passed_by(
    tmp_path, root, hand_in, monkeypatch, becomes
):
    (tmp_path / "secret").write_text("SECRET = 1")
    (root / "z.py").write_text("x = 1")
    make = {
        "a link": lambda path: path.symlink_to(tmp_path / "secret"),
        "a pipe": os.mkfifo,
        "a folder": lambda path: path.mkdir(),
    }
    opened = folder.Folder.open

    def open_late(self, name, flags):
        if name == "z.py":
            (root / "z.py").unlink()
            make[becomes](root / "z.py")
        return opened(self, name, flags)

    monkeypatch.setattr(folder.Folder, "open", open_late)
    submission = hand_in({})
    assert "SECRET" not in repr(submission)
    assert list(reasons(submission)) == ["z.py"]


def test_a_file_of_a_tebibyte_is_read_no_further_than_its_limit(root, hand_in):
    with (root / "z.py").open("wb") as file:
        try:
            file.truncate(1 << 40)
        except OSError:
            pytest.skip("this file system holds no such file")
    assert reasons(hand_in({})) == {"z.py": "larger than 256 KiB"}


def test_a_file_that_grows_while_it_is_read_ends_at_its_limit(root, hand_in):
    ended = threading.Event()

    def grow():
        with (root / "z.py").open("ab", buffering=0) as file:
            while not ended.is_set() and file.tell() < 50 << 20:
                file.write(b"#" * 4096)

    writer = threading.Thread(target=grow)
    writer.start()
    try:
        submission = hand_in({})
    finally:
        ended.set()
        writer.join()
    assert all(len(file.cells[0].source) <= 256 << 10 for file in submission.files)


@pytest.mark.parametrize("name", ["z.py", "lib"])
def test_what_may_not_be_opened_is_listed_and_the_rest_counts(root, hand_in, monkeypatch, name):
    (root / "z.py").write_text("x = 1")
    (root / "lib").mkdir()
    opened = folder.Folder.open

    def refuse(self, wanted, flags):
        if wanted == name:
            raise PermissionError(13, "Permission denied")
        return opened(self, wanted, flags)

    monkeypatch.setattr(folder.Folder, "open", refuse)
    submission = hand_in({})
    assert reasons(submission) == {name: "cannot be read (Permission denied)"}
    assert submission.works[0].problem is None


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="this system does not list open descriptors")
def test_every_descriptor_is_closed(root, hand_in):
    hand_in({"a/b/c.py": "x = 1", "env/pyvenv.cfg": "", ".git/x": ""})
    before = len(os.listdir("/proc/self/fd"))
    hand_in({})
    assert len(os.listdir("/proc/self/fd")) == before


@pytest.mark.parametrize("mark", ["\u200b", "\ufeff", "\u202e", "\u00ad", "\U000e0041", "\u3164", "\x1b[2J", "\n"])
def test_a_name_with_something_unseen_in_it_is_passed_by_and_shown_without(hand_in, mark):
    submission = hand_in({"residual_add.py": CLASS, f"residual_add{mark}.py": CLASS})
    assert [file.path for file in submission.files] == ["residual_add.py"]
    assert list(reasons(submission)) == [f"residual_add?{mark[1:].replace(mark[:1], '')}.py"]


@pytest.mark.parametrize(
    "name", ["CON.py", "nul.py", "a .py", "a..py", "::error::x.py", "-rf.py", "$(id).py", "می‌خواهم.py"]
)
def test_an_odd_name_is_read_for_it_is_never_written(hand_in, name):
    assert name in [file.path for file in hand_in({"residual_add.py": CLASS, name: "x = 1"}).files]


def test_a_tree_deeper_than_the_system_can_name_is_refused(tmp_path, course):
    here = os.open(tmp_path, os.O_RDONLY)
    for _ in range(60):
        os.mkdir("d" * 100, dir_fd=here)
        inner = os.open("d" * 100, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(here)
    with pytest.raises(IntakeError, match="more than 12 deep"):
        accept(tmp_path, course)


def test_a_name_that_a_terminal_hands_over_in_halves_is_written_with_marks(hand_in):
    assert hand_in({"residual_add.py": CLASS}, student="A\udcff\x1b").student == "A?\x1b"
