"""The filter on system calls in force: a fresh process installs it, and tries."""

import platform
import signal
import sys

import fresh
import pytest

FILTERED = """
import ctypes
import os
import resource
import socket
import threading
from grader.sandbox.confine import kernel, privileges, seccomp

resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
privileges.no_new_privileges()
try:
    seccomp.install(seccomp.program(os.getpid()))
except OSError as error:
    tell(str(error))
    os._exit(77)
"""
MACHINE_CODE = """
import mmap

code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
code.write(bytes.fromhex(written))
tell("before")
ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()
tell("after")
"""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="system calls are filtered on Linux only")
on_x86_64 = pytest.mark.skipif(platform.machine() != "x86_64", reason="machine code of x86_64")


@pytest.fixture
def filtered():
    """Runs a piece of Python behind the filter."""

    def run(source, **names):
        done = fresh.run(FILTERED + source, **names)
        if done.returncode == 77:
            pytest.skip(f"no filter can be had here: {done.stdout.strip()}")
        return done

    return run


@pytest.mark.parametrize(
    "action",
    [
        "socket.socket", "socket.socketpair", "os.fork", "os.setsid",
        "lambda: os.posix_spawn('/bin/true', ['true'], {})", "lambda: os.execv('/bin/true', ['true'])",
        "lambda: os.memfd_create('x')", "lambda: os.kill(0, 9)",
        "lambda: os.kill(os.getppid(), 9)", "lambda: os.chmod('/tmp', 0o777)", "lambda: os.symlink('a', 'b')",
        "lambda: os.truncate('/tmp/x', 0)", "lambda: os.open('/etc/passwd', os.O_RDONLY | os.O_TRUNC)",
        "lambda: os.setpriority(os.PRIO_PROCESS, 0, 5)", "lambda: kernel.prctl(4, 1)",
        "lambda: kernel.call('seccomp', 1, 0, None)",
    ],
)  # fmt: skip
def test_refused_call_raises_permission_error(filtered, action):
    done = filtered(f"tell(outcome({action}))")

    assert (done.returncode, done.stdout, done.stderr) == (0, '"EPERM"\n', "")


@pytest.mark.parametrize("name", ["ptrace", "unshare", "bpf", "io_uring_setup", "mount", "process_vm_readv"])
def test_call_that_no_honest_program_makes_ends_the_process(filtered, name):
    done = filtered("tell('before'); kernel.call(name, 0, 0, 0); tell('after')", name=name)

    assert (done.returncode, done.stdout) == (-signal.SIGSYS, '"before"\n')


@on_x86_64
@pytest.mark.parametrize(
    ("code", "number"),
    [("b814000000cd80c3", 20), ("b8270000400f05c3", 39)],  # mov eax, number; int 0x80 or syscall; ret
    ids=["int_0x80", "x32"],
)
def test_other_call_gate_ends_the_process(filtered, code, number):
    done = filtered(MACHINE_CODE, written=code)

    assert (done.returncode, done.stdout) == (-signal.SIGSYS, '"before"\n')


@on_x86_64
def test_own_machine_code_runs(filtered):
    """As oneDNN makes it for convolutions. mov eax, 42; ret."""
    done = filtered(MACHINE_CODE, written="b82a000000c3")

    assert (done.returncode, done.stdout) == (0, '"before"\n"after"\n')


def test_newer_call_is_told_not_to_exist(filtered):
    done = filtered("tell(outcome(lambda: kernel.call('landlock_create_ruleset', None, 0, 1)))")

    assert done.stdout == '"ENOSYS"\n'


def test_thread_runs(filtered):
    source = "thread = threading.Thread(target=tell, args=['hello']); thread.start(); thread.join()"

    assert filtered(source).stdout == '"hello"\n'


def test_filter_holds_in_a_thread(filtered):
    source = "thread = threading.Thread(target=lambda: tell(outcome(socket.socket))); thread.start(); thread.join()"

    assert filtered(source).stdout == '"EPERM"\n'


def test_own_process_can_be_signalled_for_real(filtered):
    done = filtered("import signal; signal.signal(10, lambda *_: tell('heard')); os.kill(os.getpid(), 10)")

    assert done.stdout == '"heard"\n'
