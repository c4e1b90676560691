"""Grading needs no rights: the whole way as a user who owns nothing, when the tests themselves run as root."""

import json
import os
import shlex
import shutil
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NOBODY = 65534

pytestmark = pytest.mark.skipif(
    os.geteuid() != 0, reason="only root can become another user; all tests ran as this one"
)


def closed_above(path: Path) -> Path | None:
    """The outermost folder above `path` that others may not enter."""
    return next((p for p in reversed(path.parents) if not p.stat().st_mode & stat.S_IXOTH), None)


def opened(paths: list[Path], stash: Path) -> list[str]:
    """Commands that put `paths` into an otherwise empty copy of the closed folders above them, for one namespace."""
    closed = {path: above for path in paths if (above := closed_above(path)) is not None}
    commands = []
    for number, path in enumerate(closed):
        (stash / str(number)).mkdir()
        commands.append(f"mount --bind {shlex.quote(str(path))} {stash}/{number}")
    commands += [f"mount -t tmpfs -o mode=755 closed {shlex.quote(str(above))}" for above in set(closed.values())]
    for number, path in enumerate(closed):
        commands.append(f"mkdir -p {shlex.quote(str(path))} && mount --move {stash}/{number} {shlex.quote(str(path))}")
    return commands


@pytest.fixture
def own():
    """A folder that belongs to nobody; those of pytest belong to root and are closed."""
    folder = Path(tempfile.mkdtemp(prefix="grade-test-", dir="/tmp"))
    os.chown(folder, NOBODY, NOBODY)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def as_nobody(own):
    """Runs a command as nobody, who can read the interpreter and the checkout wherever they lie."""
    stash = own / "stash"
    stash.mkdir()
    needed = [Path(sys.base_prefix), Path(sys.prefix), ROOT]
    needed = [path for path in needed if not any(other in path.parents for other in needed)]
    commands = opened(needed, stash)

    def run(*call):
        drop = f"exec setpriv --reuid={NOBODY} --regid={NOBODY} --clear-groups --inh-caps=-all {shlex.join(call)}"
        script = "\n".join(["set -e", *commands, drop])
        wrap = ["unshare", "--mount", "--propagation", "private"] if commands else []
        env = {"PATH": os.defpath, "HOME": str(own), "TMPDIR": str(own)}
        return subprocess.run(
            [*wrap, "sh", "-c", script], cwd=ROOT, env=env, capture_output=True, timeout=120, check=False
        )

    return run


def test_ordinary_user_grades_a_submission(as_nobody, own, solutions, right):
    shutil.copytree(solutions, own / "solutions")
    (own / "residual_add.py").write_text("import os\n\nprint('user', os.getuid(), os.geteuid())\n" + right)

    done = as_nobody(sys.executable, "-B", "-m", "grader", "submit", str(own / "residual_add.py"), "--json",
                     "--course", str(own / "solutions"), "--out", str(own / "out"))  # fmt: skip

    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["exercises"][0]["printed"]["head"] == f"user {NOBODY} {NOBODY}\n"
    assert sorted(path.name for path in own.iterdir()) == ["out", "residual_add.py", "solutions", "stash"]
