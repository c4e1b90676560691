"""Tells what grading is like where it runs: one record, and which layers of confinement a worker was seen to have.

python -m tests.sandbox.rung COURSE SUBMISSION
"""

import json
import socket
import sys
from pathlib import Path
from typing import Any

import msgspec

from grader.model.course import load_course
from grader.model.limits import Limits
from grader.pipeline import HandedIn, grade_submission
from grader.sandbox.forked import ForkedWorkers, pid_of
from grader.sandbox.launch import ForkLauncher, Line
from grader.sandbox.session import Session, Source

SOURCE = """
import ctypes
import os
import resource
import socket
import sys


def refused(attempt, *arguments):
    try:
        attempt(*arguments)
    except PermissionError:
        return True
    except OSError:
        return False
    return False


def is_open(number):
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def inside():
    home = os.statvfs(".")
    owner = os.stat(".")
    return {
        "namespaces": not os.path.exists("/etc/passwd") and os.uname().nodename == "grade",
        "process_tree": os.getpid() == 1,
        "private_folder": owner.st_mode & 0o777 == 0o700 and owner.st_uid == os.getuid(),
        "folder_quota": home.f_blocks * home.f_frsize <= 64 << 20,
        "descriptors": sum(map(is_open, range(2000))) == 4,
        "environment": "RUNG" not in os.environ and sys.argv == sys.orig_argv == ["worker"],
        "unused_user": len({*os.getresuid(), *os.getresgid()}) == 1 and os.getuid() >= 61_184 and not os.getgroups(),
        "not_dumpable": ctypes.CDLL(None).prctl(3, 0, 0, 0, 0) == 0,
        "landlock": refused(os.listdir, "/"),
        "rlimits": resource.getrlimit(resource.RLIMIT_NOFILE) == (64, 64),
        "seccomp": refused(socket.socket),
    }


def writes():
    try:
        with open("own.txt", "w") as file:
            file.write("own")
    except OSError:
        return False
    return os.listdir() == ["own.txt"]
"""


def outside(pid: int) -> dict[str, bool]:
    """What the kernel says about a process."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
    status = dict(line.split(":\t", 1) for line in lines if ":\t" in line)
    return {
        "capabilities": not any(int(status[name], 16) for name in ("CapInh", "CapPrm", "CapEff", "CapAmb")),
        "no_new_privs": status["NoNewPrivs"] == "1",
        "killed_first": Path(f"/proc/{pid}/oom_score_adj").read_text(encoding="ascii").strip() == "1000",
    }


def look(reading: int, writing: int, workers: int) -> None:
    """In a judge's place: what holds of one worker, by layer, and whether it can work at all."""
    from grader.checks.probe import ProbeDesk
    from grader.checks.student import Student
    from grader.sandbox.worker import messages as m

    unit = m.Unit("residual_add", "residual_add.py", False, [(None, SOURCE)])
    session = Session(ForkedWorkers(socket.socket(fileno=workers)), Source([unit], ()), Limits())
    session.begin(1)
    student = Student(session, ProbeDesk())
    process: Any = session._process
    found = {
        "holds": {**outside(pid_of(process._handle)), **student.build("inside")},
        "writes": student.build("writes"),
    }
    session.close()
    Line.on(reading, writing).send(json.dumps(found).encode())


def main(course: str, submission: str) -> None:
    """Print it as JSON."""
    with ForkLauncher() as launcher:
        record = grade_submission(HandedIn(Path(submission)), load_course(Path(course)), launcher)
        with launcher.judge("tests.sandbox.rung:look") as line:
            found = json.loads(line.receive() or b"{}")
    print(json.dumps({"record": msgspec.to_builtins(record), **found}))


if __name__ == "__main__":
    main(*sys.argv[1:])
