"""A filter on system calls, without libseccomp: an allow-list compiled to classic BPF (seccomp(2), bpf in filter.txt).

In order, for each call that the worker makes:

* another architecture's call gate (int 0x80), or an x32 number → the process is killed
* a call that no honest program makes (`KILL`)                 → the process is killed: an exploit gets one try
* a call whose arguments matter (`_checked_calls`)             → allowed or EPERM
* `ALLOW`                                                      → allowed
* clone3, and all other calls since Linux 5.1                  → ENOSYS: libraries fall back to an older call
* everything else                                              → EPERM: Python shows a PermissionError

An allow-list, since new calls keep arriving. PROT_EXEC stays allowed: oneDNN compiles convolutions as they run.
"""

from __future__ import annotations

import ctypes
import errno
import functools
import platform
import struct

from . import kernel
from .syscalls import MACHINES, NEW


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split())


ALLOW = _names("""
read readv pread64 preadv preadv2 write writev pwrite64 pwritev pwritev2 lseek close close_range dup dup2 dup3
pipe pipe2 stat fstat lstat newfstatat statx statfs fstatfs access faccessat faccessat2 readlink readlinkat
getdents getdents64 getcwd chdir fchdir mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2
ftruncate fsync fdatasync flock fadvise64 sendfile copy_file_range umask
poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait eventfd eventfd2
mmap mprotect munmap mremap madvise brk mincore msync membarrier get_mempolicy
futex futex_waitv set_robust_list get_robust_list rseq set_tid_address sched_yield sched_getaffinity
sched_getparam sched_getscheduler getcpu gettid getpid getppid getpgid getpgrp getsid
getuid geteuid getgid getegid getgroups getresuid getresgid getpriority
exit exit_group restart_syscall wait4 waitid nanosleep clock_nanosleep clock_gettime clock_getres gettimeofday
time times getrusage getrlimit sysinfo uname getrandom getitimer setitimer alarm
rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait rt_sigsuspend sigaltstack pause
""")

KILL = _names("""
ptrace process_vm_readv process_vm_writev process_madvise pidfd_getfd kcmp bpf perf_event_open userfaultfd
io_uring_setup io_uring_enter io_uring_register add_key request_key keyctl kexec_load kexec_file_load
init_module finit_module delete_module open_by_handle_at mount umount2 pivot_root chroot move_mount open_tree
fsopen fsmount fsconfig fspick mount_setattr setns unshare reboot swapon swapoff acct quotactl iopl ioperm modify_ldt
""")

X32 = 0x40000000
CLONE_THREAD = 0x10000
CLONE_OTHER = 0x7E020080 | 0x2000 | 0x4000  # any new namespace, PTRACE, VFORK
O_TRUNC, O_ACCMODE = 0x200, 3
IOCTLS = (0x541B, 0x5421, 0x5450, 0x5451, 0x5401, 0x5413)  # FIONREAD FIONBIO FIONCLEX FIOCLEX TCGETS TIOCGWINSZ
FCNTLS = (0, 1, 2, 3, 4, 5, 6, 7, 36, 37, 38, 1030, 1032, 1034)  # DUPFD … SETLKW, OFD locks, CLOEXEC, sizes
PRCTLS = (15, 16, 3, 0x53564D41)  # SET_NAME GET_NAME GET_DUMPABLE SET_VMA (malloc names its arenas)

LOAD, EQUAL, AT_LEAST, ABOVE, ANY_BIT, AND, RETURN = 0x20, 0x15, 0x35, 0x25, 0x45, 0x54, 0x06
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data; both machines are little-endian
ALLOWED, KILLED, REFUSED = 0x7FFF0000, 0x80000000, 0x00050000
NOT_PERMITTED, NO_SUCH_CALL = REFUSED | errno.EPERM, REFUSED | errno.ENOSYS
SET_FILTER, NO_SPECULATION_COST = 1, 4

Instruction = tuple[int, int, int, int]  # operation, value, jump if true, jump if false


@functools.cache
def program(pid: int, machine: str = platform.machine()) -> bytes:
    """The filter for a process that knows itself as `pid`.

    Raises:
        OSError: this kind of machine is not known here.
    """
    if machine not in MACHINES:
        raise OSError(f"no filter is known for {machine} machines")
    audit, numbers = MACHINES[machine]
    code: list[Instruction] = [(LOAD, ARCHITECTURE, 0, 0), (EQUAL, audit, 1, 0), _end(KILLED), (LOAD, NUMBER, 0, 0)]
    if machine == "x86_64":
        code += [(AT_LEAST, X32, 0, 1), _end(KILLED)]
    for name, body in _checked_calls(pid).items():
        if name in numbers:
            code += [(EQUAL, numbers[name], 0, len(body)), *body]
    for names, verdict in ((KILL, KILLED), (ALLOW, ALLOWED)):
        code += _all_of([numbers[name] for name in names if name in numbers], verdict)
    code += [(AT_LEAST, NEW, 0, 1), _end(NO_SUCH_CALL), _end(NOT_PERMITTED)]
    return b"".join(struct.pack("HBBI", op, true, false, value) for op, value, true, false in code)


def _checked_calls(pid: int) -> dict[str, list[Instruction]]:
    """Calls that are allowed with some arguments only."""
    return {
        # threads, never processes; without the flags that make new namespaces
        "clone": [_argument(0), (AND, CLONE_THREAD | CLONE_OTHER, 0, 0), (EQUAL, CLONE_THREAD, 1, 0), *_no_yes()],
        "kill": _one_of(0, (pid,)),
        "tgkill": _one_of(0, (pid,)),
        "ioctl": _one_of(1, IOCTLS),
        "fcntl": _one_of(1, FCNTLS),
        "prctl": _one_of(0, PRCTLS),
        # A file that may only be read must not be emptied on opening; Landlock sees to that from ABI 3 on.
        "open": _not_truncated(1),
        "openat": _not_truncated(2),
        "prlimit64": [  # own limits, reading only: pid 0 and no new limit (a pointer, both halves)
            _argument(2), (EQUAL, 0, 0, 4), _argument(2, high=True), (EQUAL, 0, 0, 2), _argument(0), (EQUAL, 0, 1, 0),
            *_no_yes(),
        ],
    }  # fmt: skip


def _one_of(argument: int, values: tuple[int, ...]) -> list[Instruction]:
    tests = [(EQUAL, value, len(values) - at, 0) for at, value in enumerate(values)]
    return [_argument(argument), *tests, *_no_yes()]


def _not_truncated(flags: int) -> list[Instruction]:
    """Neither O_TRUNC with O_RDONLY, nor the access mode 3, which asks for no right and truncates all the same."""
    return [
        _argument(flags), (AND, O_TRUNC | O_ACCMODE, 0, 0), (EQUAL, O_TRUNC, 3, 0), (AND, O_ACCMODE, 0, 0),
        (EQUAL, O_ACCMODE, 1, 0), _end(ALLOWED), _end(NOT_PERMITTED),
    ]  # fmt: skip


def _all_of(numbers: list[int], verdict: int) -> list[Instruction]:
    """The same verdict for all these calls, neighbours taken together."""
    code: list[Instruction] = []
    for first, last in _ranges(sorted(numbers)):
        code += [(EQUAL, first, 0, 1)] if first == last else [(AT_LEAST, first, 0, 2), (ABOVE, last, 1, 0)]
        code.append(_end(verdict))
    return code


def _ranges(numbers: list[int]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for number in numbers:
        if found and found[-1][1] == number - 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return found


def _argument(index: int, *, high: bool = False) -> Instruction:
    return (LOAD, ARGUMENTS + 8 * index + 4 * high, 0, 0)


def _end(verdict: int) -> Instruction:
    return (RETURN, verdict, 0, 0)


def _no_yes() -> list[Instruction]:
    return [_end(NOT_PERMITTED), _end(ALLOWED)]


class _Program(ctypes.Structure):
    """struct sock_fprog."""

    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_char_p))


def install(code: bytes) -> None:
    """Filter this thread's calls from now on, for good. Needs no_new_privs.

    Raises:
        OSError: the kernel has no seccomp filters.
    """
    filled = _Program(len(code) // 8, code)
    # Before Linux 5.16 a filter would switch on mitigations against speculation that slow all code down.
    kernel.call("seccomp", SET_FILTER, NO_SPECULATION_COST, ctypes.byref(filled))
