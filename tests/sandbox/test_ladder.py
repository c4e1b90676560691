"""Grading on machines of many kinds, imitated one by one: what they lack is reported, and never costs a point.

`rung.py` runs in each: it grades a right submission, and looks at a worker from inside and outside, so that no layer is
claimed that does not hold.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import ordinary_user as user
import pytest

from grader.model.confinement import OPTIONAL, Confinement, layers

REFUSING = str(Path(__file__).with_name("refusing.py"))
DOCKER = [
    "unshare=EPERM", "clone=EPERM", "clone3=ENOSYS", "setns=EPERM", "mount=EPERM", "umount2=EPERM", "pivot_root=EPERM",
    "mount_setattr=EPERM",
]  # fmt: skip
DOCKERS_CAPABILITIES = (
    "-all,+chown,+dac_override,+fowner,+fsetid,+kill,+setgid,+setuid,+setpcap,+net_bind_service,+net_raw,+sys_chroot,"
    "+mknod,+audit_write,+setfcap"
)
# One more user namespace, and none after it; in it, somebody who is not root.
LAST_NAMESPACE = """
echo 1 > /proc/sys/user/max_user_namespaces
exec unshare --user --map-user=1000 --map-group=1000 "$@"
"""
NO_CONTAINER = {"process_tree": "needs namespaces", "folder_quota": "needs namespaces"}
REFUSED = {"namespaces": "unshare: Operation not permitted", **NO_CONTAINER}
NO_LANDLOCK = {"landlock": "the kernel has no Landlock"}

Wrap = Callable[[list[str]], list[str]]


def refusing(*refusals: str) -> Wrap:
    return lambda command: [sys.executable, "-B", REFUSING, *refusals, "--", *command]


def bounded(capabilities: str) -> Wrap:
    return lambda command: ["setpriv", f"--bounding-set={capabilities}", "--inh-caps=-all", *command]


def last_namespace(command: list[str]) -> list[str]:
    return ["unshare", "--user", "--map-root-user", "sh", "-c", LAST_NAMESPACE, "sh", *command]


def fake_root(command: list[str]) -> list[str]:
    return ["unshare", "--user", "--map-root-user", *command]


@dataclass(frozen=True)
class Machine:
    """A kind of machine: how to imitate it (outermost first), what it lacks and a part of the reason, and its level."""

    wraps: list[Wrap]
    missing: dict[str, str] = field(default_factory=dict)
    level: str = "enough"
    as_root: bool = False
    closed: bool = False


MACHINES = {
    "ordinary_user": Machine([], level="full"),
    "docker": Machine([refusing(*DOCKER)], REFUSED),
    "no_namespace_left": Machine([last_namespace], {"namespaces": "unshare: No space left on device", **NO_CONTAINER}),
    "apparmor": Machine([refusing("mounts")], {"namespaces": "mount /: Operation not permitted", **NO_CONTAINER}),
    "old_kernel": Machine([refusing("landlock_create_ruleset=ENOSYS")], NO_LANDLOCK),
    "landlock_off": Machine([refusing("landlock_create_ruleset=EOPNOTSUPP")], NO_LANDLOCK),
    "old_docker": Machine([refusing("landlock_create_ruleset=EPERM", *DOCKER)], REFUSED | NO_LANDLOCK, "practice"),
    "no_filters": Machine([refusing("seccomp=EINVAL")], {"seccomp": "seccomp: Invalid argument"}, "practice"),
    "fake_root": Machine([fake_root], {"unused_user": ""}, "practice"),
    "fake_root_in_docker": Machine([fake_root, refusing(*DOCKER)], {"unused_user": "", **REFUSED}, "practice"),
    "root": Machine([], level="full", as_root=True),
    "root_in_docker": Machine([bounded(DOCKERS_CAPABILITIES), refusing(*DOCKER)], REFUSED, as_root=True),
    "root_without_rights": Machine([bounded("-all")], {"unused_user": "", **REFUSED}, "practice", as_root=True),
    "root_in_a_closed_home": Machine(
        [refusing(*DOCKER)], {"unused_user": "only another user may read", **REFUSED}, "practice", True, closed=True
    ),
}


@dataclass(frozen=True)
class Found:
    """What `rung.py` told of a machine, and what we expected of it."""

    expected: Machine
    record: dict
    holds: dict[str, bool]
    writes: bool

    @property
    def confinement(self) -> Confinement:
        environment = self.record["environment"]
        return Confinement(tuple(environment["confinement"]), environment["unconfined"])

    @property
    def missing(self) -> dict[str, str]:
        return {name: reason for name, reason in self.confinement.missing.items() if name not in OPTIONAL}


@pytest.fixture(scope="module")
def place(solutions, right):
    """A folder that every user may enter, with a course, a submission, a home and a stash."""
    folder = Path(tempfile.mkdtemp(prefix="grade-test-", dir="/tmp"))
    folder.chmod(0o755)
    shutil.copytree(solutions, folder / "solutions")
    for name, mode in (("submission", 0o755), ("home", 0o777), ("stash", 0o755)):
        (folder / name).mkdir()
        (folder / name).chmod(mode)
    (folder / "submission" / "residual_add.py").write_text(right)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="module", params=MACHINES)
def found(request, place, forked):
    machine = MACHINES[request.param]
    root = os.geteuid() == 0
    if lacking := forked.confinement.missing.keys() - OPTIONAL:
        pytest.skip(f"this machine lacks {', '.join(sorted(lacking))} itself")
    if machine.as_root and not root:
        pytest.skip("only root can imitate this")
    if machine.closed and user.closed_above(Path(sys.base_prefix)) is None:
        pytest.skip("here every user may read Python")
    if not (shutil.which("unshare") and shutil.which("setpriv")):
        pytest.skip("needs unshare and setpriv (util-linux)")
    command = [sys.executable, "-B", "-m", "tests.sandbox.rung", f"{place}/solutions", f"{place}/submission"]
    for wrap in reversed(machine.wraps):
        command = wrap(command)
    if root:
        command = command if machine.as_root else user.as_nobody(command)
        command = command if machine.closed else user.readable_by_all(command, place / "stash")
    environment = {**user.environment(place / "home"), "RUNG": "a variable of the command"}
    done = subprocess.run(
        command, cwd=user.ROOT, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return Found(machine, **json.loads(done.stdout.splitlines()[-1]))


def test_right_submission_gets_full_marks(found):
    assert found.record["points"] == found.record["max_points"] > 0


def test_layers_that_are_missing_are_those(found):
    assert sorted(found.missing) == sorted(found.expected.missing)


def test_reason_is_told(found):
    reasons = found.expected.missing.items()

    assert {name: found.missing.get(name) for name, part in reasons if part not in found.missing.get(name, "")} == {}
    assert all(found.missing.values())


def test_every_other_layer_is_in_force(found):
    needless = set() if found.expected.as_root else {"unused_user"}

    assert {*layers()} - {*found.confinement.layers, *found.confinement.missing} <= needless


def test_no_layer_is_claimed_that_does_not_hold(found):
    assert [name for name, held in found.holds.items() if name in found.confinement.layers and not held] == []


def test_level_is_told(found):
    assert found.confinement.level == found.record["environment"]["confinement_level"] == found.expected.level


def test_student_can_write_files(found):
    assert found.writes
