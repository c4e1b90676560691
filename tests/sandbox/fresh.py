"""Runs a piece of Python in a process of its own, which may give up rights for good."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PRELUDE = f"""
import errno
import json
import sys

sys.path.insert(0, {str(ROOT)!r})


def outcome(action, *arguments):
    try:
        action(*arguments)
    except OSError as error:
        return errno.errorcode[error.errno]
    return "allowed"


def tell(value):
    print(json.dumps(value), flush=True)
"""


def run(source: str, **names: Any) -> subprocess.CompletedProcess[str]:
    """Run `source`, which finds `names` (plain values), `outcome` and `tell`; it may end in any way."""
    given = "".join(f"{name} = {value!r}\n" for name, value in names.items())
    command = [sys.executable, "-I", "-B", "-c", PRELUDE + given + source]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def told(source: str, **names: Any) -> Any:
    """The last value that `source` tells; it must end without an error."""
    done = run(source, **names)
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout.splitlines()[-1])
