"""The filter on system calls: its programs for both kinds of processor, in a machine of our own."""

import re
import signal
from collections.abc import Callable
from pathlib import Path

import bpf
import pytest

from grader.sandbox.confine import seccomp
from grader.sandbox.confine.syscalls import MACHINES, NEW

PID = 4711
I386, ARM = 0x40000003, 0x40000028
# Numbers of calls that the filter does not name.
UNNAMED = {
    "x86_64": {
        "socket": 41, "connect": 42, "sendto": 44, "recvfrom": 45, "sendmsg": 46, "recvmsg": 47, "bind": 49,
        "socketpair": 53, "fork": 57, "vfork": 58, "execve": 59, "shmget": 29, "truncate": 76, "creat": 85, "link": 86,
        "symlink": 88, "chmod": 90, "chown": 92, "setuid": 105, "setsid": 112, "utime": 132, "mknod": 133,
        "setpriority": 141, "setrlimit": 160, "setxattr": 188, "tkill": 200, "sched_setaffinity": 203,
        "timer_create": 222, "mq_open": 240, "inotify_init1": 294, "rt_tgsigqueueinfo": 297, "memfd_create": 319,
        "execveat": 322, "pidfd_send_signal": 424, "pidfd_open": 434, "openat2": 437,
    },
    "aarch64": {
        "setxattr": 5, "inotify_init1": 26, "mknodat": 33, "symlinkat": 36, "linkat": 37, "truncate": 45,
        "fchmodat": 53, "utimensat": 88, "timer_create": 107, "sched_setaffinity": 122, "tkill": 130,
        "setpriority": 140, "setuid": 146, "setsid": 157, "setrlimit": 164, "mq_open": 180, "shmget": 194,
        "socket": 198, "socketpair": 199, "bind": 200,
        "connect": 203, "sendto": 206, "recvfrom": 207, "sendmsg": 211, "recvmsg": 212, "execve": 221,
        "rt_tgsigqueueinfo": 240, "memfd_create": 279, "execveat": 281, "pidfd_send_signal": 424, "pidfd_open": 434,
        "openat2": 437,
    },
}  # fmt: skip
VERDICTS = {
    seccomp.ALLOWED: "allowed", seccomp.KILLED: "killed",
    seccomp.NOT_PERMITTED: "EPERM", seccomp.NO_SUCH_CALL: "ENOSYS",
}  # fmt: skip
THREAD = 0x3D0F00  # the flags with which libc makes a thread
O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, O_CLOEXEC, BOTH = 1, 2, 0o100, 0o1000, 0o2000000, 3
NAMESPACES = [0x80, 0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000]

Judge = Callable[..., str]


@pytest.fixture(params=sorted(MACHINES))
def machine(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def program(machine: str) -> list[bpf.Instruction]:
    return bpf.load(seccomp.program(PID, machine))


@pytest.fixture
def judged(machine: str, program: list[bpf.Instruction]) -> Judge:
    """What becomes of a call, by name or number, with these arguments."""

    def verdict(call: str | int, *arguments: int, architecture: int = MACHINES[machine].audit) -> str:
        number = MACHINES[machine].numbers[call] if isinstance(call, str) else call
        return VERDICTS[bpf.run(program, architecture, number, arguments)]

    return verdict


# Which calls ----------------------------------------------------------------------------------------------------------


def test_program_is_one_that_the_kernel_takes(program):
    assert program[-1].operation == bpf.RETURN


@pytest.mark.parametrize(("names", "expected"), [(seccomp.ALLOW, "allowed"), (seccomp.KILL, "killed")])
def test_call_of_a_list_gets_its_verdict(machine, judged, names, expected):
    known = [name for name in names if name in MACHINES[machine].numbers]

    assert {name: found for name in known if (found := judged(name)) != expected} == {}


def test_call_that_is_named_nowhere_is_not_permitted(machine, judged):
    calls = UNNAMED[machine]

    assert {name: found for name, number in calls.items() if (found := judged(number)) not in ("EPERM", "ENOSYS")} == {}


def test_every_other_number_is_not_permitted_or_too_new(machine, judged):
    names = {number: name for name, number in MACHINES[machine].numbers.items()}
    unnamed = [number for number in range(NEW + 200) if number not in names]

    wrong = {
        number: found for number in unnamed if (found := judged(number)) != ("EPERM" if number < NEW else "ENOSYS")
    }

    assert wrong == {}


@pytest.mark.parametrize("name", ["seccomp", "capset", "landlock_create_ruleset", "landlock_restrict_self"])
def test_calls_that_only_the_layers_need_are_over(judged, name):
    assert judged(name) in ("EPERM", "ENOSYS")


def test_clone3_is_told_not_to_exist(judged):
    assert judged("clone3") == "ENOSYS"


@pytest.mark.parametrize("architecture", [I386, ARM, 0])
def test_call_by_the_gate_of_another_architecture_kills(judged, architecture):
    assert judged("read", architecture=architecture) == "killed"


@pytest.mark.parametrize("machine", ["x86_64"], indirect=True)
@pytest.mark.parametrize("name", ["read", "ptrace", "clone3"])
def test_x32_number_kills(machine, judged, name):
    assert judged(seccomp.X32 | MACHINES[machine].numbers[name]) == "killed"


def test_unknown_machine_is_an_error():
    with pytest.raises(OSError, match="no filter is known for vax machines"):
        seccomp.program(PID, "vax")


# Their arguments ------------------------------------------------------------------------------------------------------


def test_thread_may_be_made(judged):
    assert judged("clone", THREAD) == "allowed"


@pytest.mark.parametrize("flags", [0, signal.SIGCHLD, 0x1200011, 0x4111], ids=["none", "chld", "fork", "vfork"])
def test_process_may_not_be_made(judged, flags):
    assert judged("clone", flags) == "EPERM"


@pytest.mark.parametrize("flag", [*NAMESPACES, 0x2000, 0x4000])
def test_thread_with_a_new_namespace_or_traced_may_not_be_made(judged, flag):
    assert judged("clone", THREAD | flag) == "EPERM"


@pytest.mark.parametrize("call", ["kill", "tgkill"])
def test_own_process_may_be_signalled(judged, call):
    assert judged(call, PID, PID, signal.SIGUSR1) == "allowed"


@pytest.mark.parametrize("call", ["kill", "tgkill"])
@pytest.mark.parametrize("pid", [PID + 1, 1, 0, -1, -PID])
def test_nobody_else_may_be_signalled(judged, call, pid):
    assert judged(call, pid, PID, signal.SIGUSR1) == "EPERM"


@pytest.mark.parametrize("command", [0, 1, 2, 3, 4, 6, 1030], ids=lambda number: f"F_{number}")
def test_descriptor_may_be_copied_locked_and_asked(judged, command):
    assert judged("fcntl", 5, command) == "allowed"


@pytest.mark.parametrize("command", [8, 10, 15, 1024, 1026, 1031, 1033])
def test_descriptor_may_not_be_made_to_send_signals_or_to_take_more(judged, command):
    """F_SETOWN, F_SETSIG, F_SETOWN_EX, F_SETLEASE, F_NOTIFY, F_SETPIPE_SZ, F_ADD_SEALS."""
    assert judged("fcntl", 5, command) == "EPERM"


@pytest.mark.parametrize("request_", [0x5401, 0x5413, 0x541B])
def test_terminal_may_be_asked_for(judged, request_):
    assert judged("ioctl", 1, request_) == "allowed"


@pytest.mark.parametrize("request_", [0x5412, 0x541C, 0x5402, 0x40086602])
def test_nothing_may_be_typed_or_set_by_ioctl(judged, request_):
    """TIOCSTI, TIOCLINUX, TCSETS, FS_IOC_SETFLAGS."""
    assert judged("ioctl", 1, request_) == "EPERM"


@pytest.mark.parametrize("option", [15, 16, 3, 0x53564D41])
def test_thread_may_be_named(judged, option):
    assert judged("prctl", option) == "allowed"


@pytest.mark.parametrize("option", [1, 4, 8, 22, 24, 26, 35, 36, 38, 0x59616D61])
def test_protection_may_not_be_taken_back(judged, option):
    """PDEATHSIG, DUMPABLE, KEEPCAPS, SECCOMP, CAPBSET_DROP, TSC, MM, CHILD_SUBREAPER, NO_NEW_PRIVS, PTRACER."""
    assert judged("prctl", option) == "EPERM"


with_each_open = pytest.mark.parametrize(
    ("machine", "call", "before"),
    [("x86_64", "open", (0,)), ("x86_64", "openat", (0, 0)), ("aarch64", "openat", (0, 0))],
    indirect=["machine"],
)


@with_each_open
@pytest.mark.parametrize("flags", [0, O_CLOEXEC, O_WRONLY, O_RDWR, O_WRONLY | O_TRUNC, O_RDWR | O_CREAT | O_TRUNC])
def test_file_may_be_opened(judged, call, before, flags):
    assert judged(call, *before, flags) == "allowed"


@with_each_open
@pytest.mark.parametrize("flags", [O_TRUNC, O_TRUNC | O_CREAT | O_CLOEXEC, BOTH, BOTH | O_TRUNC])
def test_file_may_not_be_emptied_without_asking_to_write(judged, call, before, flags):
    assert judged(call, *before, flags) == "EPERM"


def test_own_limits_may_be_read(judged):
    assert judged("prlimit64", 0, 7, 0, 0x7FFF_1234_5678) == "allowed"


@pytest.mark.parametrize("new", [0x7FFF_1234_5678, 0x1_0000_0000, 0x5678])
def test_limits_may_not_be_written(judged, new):
    """The pointer to the new limit, either half of which may be zero."""
    assert judged("prlimit64", 0, 7, new, 0) == "EPERM"


@pytest.mark.parametrize("pid", [1, PID, PID + 1])
def test_limits_of_others_may_not_be_read(judged, pid):
    assert judged("prlimit64", pid, 7, 0, 0x7FFF_1234_5678) == "EPERM"


# The table ------------------------------------------------------------------------------------------------------------


def defined(header: Path) -> dict[str, int]:
    """System calls by name; a definition may name another one."""
    text = header.read_text(encoding="utf-8")
    values: dict[str, str] = dict(reversed(re.findall(r"^#define (__NR\w+)\s+(\w+)", text, re.MULTILINE)))
    found = {}
    for name, value in values.items():
        number = values.get(value, value)
        if name.startswith("__NR_") and number.isdigit():
            found[name.removeprefix("__NR_")] = int(number)
    return found


@pytest.mark.parametrize(
    ("machine", "pattern"), [("x86_64", "x86_64*/asm/unistd_64.h"), ("aarch64", "asm-generic/unistd.h")]
)
def test_numbers_are_those_of_the_installed_headers(machine, pattern):
    header = next(Path("/usr/include").glob(pattern), None)
    if header is None:
        pytest.skip(f"the kernel's headers are not installed (/usr/include/{pattern})")
    known, ours = defined(header), MACHINES[machine].numbers

    wrong = {name: number for name, number in ours.items() if known.get(name, number) != number}

    assert wrong == {}
    assert len(known.keys() & ours.keys()) > 0.9 * len(ours)


def test_no_number_is_there_twice(machine):
    numbers = MACHINES[machine].numbers.values()

    assert len(set(numbers)) == len(numbers)


def test_every_name_of_the_filter_has_a_number_somewhere():
    known = {name for machine in MACHINES.values() for name in machine.numbers}

    assert {*seccomp.ALLOW, *seccomp.KILL} <= known
