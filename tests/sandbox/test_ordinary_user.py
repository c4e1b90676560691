"""Grading needs no rights: the whole way as a user who owns nothing, when the tests themselves run as root."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import ordinary_user as user
import pytest

from grader.sandbox.confine.namespaces import STUDENT

pytestmark = pytest.mark.skipif(
    os.geteuid() != 0, reason="only root can become another user; all tests ran as this one"
)


@pytest.fixture
def own():
    """A folder that belongs to nobody; those of pytest belong to root and are closed."""
    folder = Path(tempfile.mkdtemp(prefix="grade-test-", dir="/tmp"))
    os.chown(folder, user.NOBODY, user.NOBODY)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def as_nobody(own):
    """Runs a command as nobody, who can read the interpreter and the checkout wherever they lie."""
    stash = own / "stash"
    stash.mkdir()

    def run(*call):
        command = user.readable_by_all(user.as_nobody([*call]), stash)
        return subprocess.run(
            command, cwd=user.ROOT, env=user.environment(own), capture_output=True, timeout=120, check=False
        )

    return run


def test_ordinary_user_grades_a_submission(as_nobody, own, solutions, right):
    shutil.copytree(solutions, own / "solutions")
    (own / "residual_add.py").write_text("import os\n\nprint('user', os.getuid(), os.geteuid())\n" + right)

    done = as_nobody(sys.executable, "-B", "-m", "grader", "submit", str(own / "residual_add.py"), "--json",
                     "--course", str(own / "solutions"), "--out", str(own / "out"))  # fmt: skip

    assert (done.returncode, done.stderr) == (0, b"")
    record = json.loads(done.stdout)
    inside = STUDENT if "namespaces" in record["environment"]["confinement"] else user.NOBODY
    assert record["exercises"][0]["printed"]["head"] == f"user {inside} {inside}\n"
    assert sorted(path.name for path in own.iterdir()) == ["out", "residual_add.py", "solutions", "stash"]
