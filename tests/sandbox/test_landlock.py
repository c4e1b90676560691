"""Landlock for real: a fresh process keeps a few files and a private folder, and tries what lies outside."""

import os
import socket
import sys

import fresh
import pytest

from grader.sandbox.confine import landlock

ABI = landlock.abi() if sys.platform == "linux" else 0
RESTRICTED = """
import os
import signal
import socket
from grader.sandbox.confine import landlock, privileges

if abi is not None:
    landlock.abi = lambda: abi
privileges.no_new_privileges()
private = outside + "/private"
rules = [(sys.prefix, landlock.READ), (sys.base_prefix, landlock.READ), (outside + "/readable", landlock.READ)]
rules += [("/dev/null", landlock.READ | landlock.WRITE_FILE), ("/dev/urandom", landlock.READ)]
landlock.restrict([*rules, (private, landlock.READ | landlock.WRITE)])


def write(path, mode="w"):
    with open(path, mode) as file:
        return file.write("written")


def read(path):
    with open(path) as file:
        return file.read()
"""
OUTSIDE = [
    "read(outside + '/file.txt')", "write(outside + '/file.txt')", "write(outside + '/file.txt', 'a')",
    "write(outside + '/new.txt')", "write(outside + '/readable/file.txt')", "os.listdir(outside)",
    "os.remove(outside + '/file.txt')", "os.rmdir(outside + '/folder')", "os.mkdir(outside + '/new')",
    "os.listdir('/')", "os.symlink('a', private + '/link')", "os.mkfifo(private + '/pipe')",
    "os.execv('/bin/true', ['true'])", "os.execv(sys.executable, ['python'])",
]  # fmt: skip

pytestmark = pytest.mark.skipif(ABI == 0, reason="this kernel has no Landlock (Linux 5.13), or it is switched off")


def needs(abi: int, what: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(abi > ABI, reason=f"{what} is known from ABI {abi} on; this kernel has ABI {ABI}")


@pytest.fixture
def outside(tmp_path):
    """A folder with a file, one folder that may be read, and one that a worker has for itself."""
    (tmp_path / "file.txt").write_text("unchanged")
    for name in ("folder", "readable", "private"):
        (tmp_path / name).mkdir()
    (tmp_path / "readable" / "file.txt").write_text("read me")
    return tmp_path


@pytest.fixture
def told(outside):
    """What a piece of Python behind Landlock tells; `abi` makes it believe in an older kernel."""
    return lambda source, abi=None, **names: fresh.told(RESTRICTED + source, outside=str(outside), abi=abi, **names)


# Files outside --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("abi", range(1, ABI + 1))
def test_outside_is_refused_by_every_abi(told, outside, abi):
    found = told("tell({action: outcome(eval, action) for action in actions})", abi, actions=OUTSIDE)

    assert found == dict.fromkeys(OUTSIDE, "EACCES")
    assert (outside / "file.txt").read_text() == "unchanged"


@needs(3, "truncating")
@pytest.mark.parametrize(
    "action", ["os.truncate(outside + '/file.txt', 0)", "os.open(outside + '/file.txt', os.O_RDONLY | os.O_TRUNC)"]
)
def test_file_outside_cannot_be_emptied(told, outside, action):
    assert told(f"tell(outcome(lambda: {action}))") == "EACCES"
    assert (outside / "file.txt").read_text() == "unchanged"


@pytest.mark.parametrize("abi", range(1, ABI + 1))
@pytest.mark.parametrize("action", ["os.rename(private + '/own.txt', outside + '/own.txt')",
                                    "os.link(outside + '/file.txt', private + '/link')"])  # fmt: skip
def test_nothing_is_moved_or_linked_across_the_border(told, action, abi):
    refused = told(f"write(private + '/own.txt'); tell(outcome(lambda: {action}))", abi)

    assert refused in ("EACCES", "EXDEV")


def test_folder_that_may_be_read_is_read(told):
    assert told("tell([os.listdir(outside + '/readable'), read(outside + '/readable/file.txt')])") == [
        ["file.txt"],
        "read me",
    ]


def test_path_that_is_missing_is_left_out(told, outside):
    (outside / "readable" / "file.txt").unlink()
    (outside / "readable").rmdir()

    assert told("tell(outcome(lambda: read(outside + '/file.txt')))") == "EACCES"


# The private folder ---------------------------------------------------------------------------------------------------

FULL_USE = """
os.chdir(private)
os.makedirs("one/deep")
os.mkdir("two")
write("one/deep/a.txt")
os.rename("one/deep/a.txt", "one/deep/b.txt")
write("one/deep/b.txt", "a")
content = read("one/deep/b.txt")
os.truncate("one/deep/b.txt", 3)
shorter = read("one/deep/b.txt")
os.remove("one/deep/b.txt")
os.rmdir("one/deep")
tell([content, shorter, sorted(os.listdir())])
"""


@pytest.mark.parametrize("abi", range(1, ABI + 1))
def test_private_folder_is_for_full_use(told, abi):
    assert told(FULL_USE, abi) == ["writtenwritten", "wri", ["one", "two"]]


@needs(2, "moving files between folders")
def test_files_are_moved_between_own_folders(told, outside):
    move = "os.chdir(private); os.mkdir('one'); os.mkdir('two'); write('one/a'); os.rename('one/a', 'two/b')"

    assert told(f"{move}; tell(os.listdir('two'))") == ["b"]


# Devices --------------------------------------------------------------------------------------------------------------


def test_null_takes_everything(told):
    assert told("tell(write('/dev/null'))") == len("written")


def test_random_bytes_are_read(told):
    assert told("with open('/dev/urandom', 'rb') as file: tell(len(file.read(8)))") == 8


def test_other_devices_are_refused(told):
    assert told("tell(outcome(lambda: open('/dev/tty' if os.path.exists('/dev/tty') else '/dev/full')))") == "EACCES"


# The network, and others ----------------------------------------------------------------------------------------------


@pytest.fixture
def port():
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(1)
        yield listening.getsockname()[1]


@needs(4, "TCP")
@pytest.mark.parametrize("action", ["socket.socket().connect(('127.0.0.1', port))", "socket.socket().bind(('', 0))"])
def test_tcp_is_refused(told, port, action):
    assert told(f"tell(outcome(lambda: {action}))", port=port) == "EACCES"


@needs(6, "scope of signals")
def test_signal_to_the_outside_is_refused(told):
    assert told("tell(outcome(os.kill, parent, 0))", parent=os.getpid()) == "EPERM"


@needs(6, "scope of signals")
def test_signal_to_itself_is_allowed(told):
    assert told("tell(outcome(os.kill, os.getpid(), 0))") == "allowed"


@needs(6, "scope of abstract sockets")
def test_abstract_socket_outside_is_refused(told, tmp_path):
    address = f"\0{tmp_path}"
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(address)
        listening.listen(1)

        assert told("tell(outcome(socket.socket(socket.AF_UNIX).connect, address))", address=address) == "EPERM"


# Without it -----------------------------------------------------------------------------------------------------------


def test_kernel_without_landlock_is_an_error_with_a_reason():
    """Told by `restrict`, so that the layer is reported as missing."""
    done = fresh.run(RESTRICTED, outside="/", abi=0)

    assert done.stderr.splitlines()[-1].startswith("OSError: the kernel has no Landlock")
