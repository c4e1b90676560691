"""The same attacks against a grader that an ordinary user runs, when the tests themselves run as root."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from attack import ATTACKS

from tests.sandbox import ordinary_user as user

SUITE = "tests/attacks/test_attacks.py"

pytestmark = pytest.mark.skipif(
    os.geteuid() != 0, reason="only root can become another user; the attacks ran as this one"
)


@pytest.fixture
def home():
    """A folder of that user; those of pytest belong to root and are closed."""
    folder = Path(tempfile.mkdtemp(prefix="grade-test-", dir="/tmp"))
    os.chown(folder, user.NOBODY, user.NOBODY)
    (folder / "stash").mkdir()
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def test_attacks_fail_as_an_ordinary_user(home):
    call = [sys.executable, "-B", "-m", "pytest", SUITE, "-p", "no:cacheprovider", "--tb=short"]
    command = user.readable_by_all(user.as_nobody(call), home / "stash")

    done = subprocess.run(
        command, cwd=user.ROOT, env=user.environment(home), capture_output=True, text=True, timeout=1200, check=False
    )

    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) >= len(ATTACKS)
