"""What each peer wants to find, and the command that grades one submission with it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bench.measure import SOLUTIONS
from bench.peers.case import SUBMISSION

Check = tuple[str, str]  # exercise and name
Command = Callable[[Path], list[str]]  # for a submission's folder
PATIENCE_SECONDS = 300.0
BLOCKS = SOLUTIONS / "previous_chapters.py"  # what students are given: the notebooks of these peers import it


class Peer(NamedTuple):
    """What is installed by pip, and how a folder is made ready; that gives the command for a submission."""

    packages: tuple[str, ...]
    ready: Callable[[Path, Path, Sequence[Check]], Command]


def gradescope(python: Path, folder: Path, checks: Sequence[Check]) -> Command:
    """A `unittest.TestCase` for its JSONTestRunner, one process for each submission."""
    tests = "".join(
        f"    @weight(1)\n    def test_{exercise}_{name}(self):\n        assert passed({exercise!r}, {name!r})\n\n"
        for exercise, name in checks
    )
    (folder / "run_tests.py").write_text(
        "import unittest\n"
        "from gradescope_utils.autograder_utils.decorators import weight\n"
        "from gradescope_utils.autograder_utils.json_test_runner import JSONTestRunner\n"
        "from bench.peers.case import passed\n\n\n"
        f"class TestChecks(unittest.TestCase):\n{tests}\n"
        "tests = unittest.defaultTestLoader.loadTestsFromTestCase(TestChecks)\n"
        "with open('results.json', 'w') as file:\n"
        "    JSONTestRunner(visibility='visible', stream=file).run(tests)\n",
        encoding="utf-8",
    )
    return lambda path: _within(folder, path, str(python), "run_tests.py")


def otter(python: Path, folder: Path, checks: Sequence[Check]) -> Command:
    """A zip of OK tests for `otter run`, and the submission as a notebook."""
    (folder / "tests").mkdir()
    for exercise, name in checks:
        code = f">>> from bench.peers.case import passed\n>>> passed({exercise!r}, {name!r})\nTrue"
        case = {"code": code, "hidden": False, "locked": False}
        suite = {"cases": [case], "scored": True, "setup": "", "teardown": "", "type": "doctest"}
        test = {"name": f"{exercise}_{name}", "points": 1, "suites": [suite]}
        (folder / "tests" / f"{exercise}_{name}.py").write_text(
            f"OK_FORMAT = True\ntest = {test!r}\n", encoding="utf-8"
        )
    program = str(python.with_name("otter"))
    _run(folder, program, "generate", "-t", "tests", "-o", "autograder.zip", "--no-environment")

    def command(path: Path) -> list[str]:
        shutil.copy(BLOCKS, folder)
        notebook = folder / f"{path.name}.ipynb"
        notebook.write_text(_notebook(_sources(path)), encoding="utf-8")
        return _within(folder, path, program, "run", "-a", "autograder.zip", notebook.name)

    return command


def nbgrader(python: Path, folder: Path, checks: Sequence[Check]) -> Command:
    """An assignment with a test cell for each check; `nbgrader autograde` for one student."""
    _run(folder, str(python), "-m", "ipykernel", "install", "--prefix", str(python.parents[1]))
    program = str(python.with_name("nbgrader"))
    tests = [(f"{exercise}-{name}", f"from bench.peers.case import passed\nassert passed({exercise!r}, {name!r})")
             for exercise, name in checks]  # fmt: skip
    source = folder / "source" / "lab" / "lab.ipynb"
    source.parent.mkdir(parents=True)
    source.write_text(_notebook(["# your code"], tests), encoding="utf-8")
    shutil.copy(BLOCKS, source.parent)
    _run(folder, program, "generate_assignment", "lab", "--create")

    def command(path: Path) -> list[str]:
        handed_in = folder / "submitted" / path.name / "lab" / "lab.ipynb"
        handed_in.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(BLOCKS, handed_in.parent)
        handed_in.write_text(_notebook(_sources(path), tests), encoding="utf-8")
        return _within(folder, path, program, "autograde", "lab", "--student", path.name, "--force")

    return command


PEERS = {
    "gradescope-utils": Peer(("gradescope-utils",), gradescope),
    "otter-grader, `otter run`": Peer(("otter-grader", "ipykernel"), otter),
    "nbgrader, `nbgrader autograde`": Peer(("nbgrader", "ipykernel"), nbgrader),
}


def _surroundings(program: str, *options: str) -> list[str]:
    """`env` with the programs of the peer's environment first: some of them start others by name."""
    return [
        "env",
        *options,
        f"PATH={Path(program).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
        "OMP_NUM_THREADS=1",
    ]


def _within(folder: Path, submission: Path, program: str, *arguments: str) -> list[str]:
    return [*_surroundings(program, "--chdir", str(folder)), f"{SUBMISSION}={submission}", program, *arguments]


def _run(folder: Path, program: str, *arguments: str) -> None:
    """Raises CalledProcessError, with what it said."""
    command = [*_surroundings(program), program, *arguments]
    subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=PATIENCE_SECONDS)


def _sources(submission: Path) -> list[str]:
    return [path.read_text(encoding="utf-8") for path in sorted(submission.glob("*.py"))]


def _notebook(sources: Sequence[str], tests: Sequence[tuple[str, str]] = ()) -> str:
    cells = [_cell(f"code{number}", source, {}) for number, source in enumerate(sources)]
    for name, source in tests:
        known = {"grade": True, "grade_id": name, "locked": True, "points": 1, "schema_version": 3, "solution": False,
                 "task": False, "cell_type": "code"}  # fmt: skip
        cells.append(_cell(name[-60:].replace("_", "-"), source, {"nbgrader": known}))
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return json.dumps({"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5})


def _cell(name: str, source: str, metadata: dict[str, Any]) -> dict[str, Any]:
    return {"cell_type": "code", "execution_count": None, "id": name, "metadata": metadata, "outputs": [],
            "source": source}  # fmt: skip
