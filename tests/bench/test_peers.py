"""Other autograders: what is written for them, and that one that cannot be had keeps nobody from measuring."""

import ast
import json
import subprocess
from pathlib import Path

import pytest

from bench.peers import folders, measured

CHECKS = [("residual_add", "adds_the_input_back"), ("deep_network", "keeps_the_shape")]


@pytest.fixture
def submission(tmp_path):
    folder = tmp_path / "student0000"
    folder.mkdir()
    (folder / "residual_add.py").write_text("class ResidualAdd: pass\n")
    return folder


def test_unittest_gets_a_test_for_each_check(tmp_path, submission):
    command = folders.gradescope(Path("/peer/bin/python"), tmp_path, CHECKS)(submission)

    tree = ast.parse((tmp_path / "run_tests.py").read_text())
    tests = [one.name for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)]
    assert tests == ["test_residual_add_adds_the_input_back", "test_deep_network_keeps_the_shape"]
    assert f"BENCH_SUBMISSION={submission}" in command
    assert command[-2:] == ["/peer/bin/python", "run_tests.py"]


def test_a_notebook_has_the_student_s_code_and_a_cell_for_each_check(tmp_path, submission, monkeypatch):
    monkeypatch.setattr(folders, "_run", lambda *_: None)

    folders.nbgrader(Path("/peer/bin/python"), tmp_path, CHECKS)(submission)

    handed_in = json.loads((tmp_path / "submitted" / "student0000" / "lab" / "lab.ipynb").read_text())
    graded = [cell for cell in handed_in["cells"] if cell["metadata"].get("nbgrader", {}).get("grade")]
    assert handed_in["cells"][0]["source"] == "class ResidualAdd: pass\n"
    assert len(graded) == len(CHECKS)
    assert len({cell["id"] for cell in graded}) == len(CHECKS)


def test_a_peer_that_cannot_be_installed_is_told_and_left_out(tmp_path, monkeypatch):
    def refused(*_):
        raise subprocess.CalledProcessError(1, ["pip"], stderr=b"collecting\nERROR: no such package.\n")

    monkeypatch.setattr(measured, "installed", refused)

    commands, left_out = measured.ready(tmp_path, CHECKS)

    assert commands == {}
    assert left_out[0] == "gradescope-utils is left out: ERROR: no such package."
    assert len(left_out) == len(folders.PEERS)
