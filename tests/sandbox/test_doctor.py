"""`grade doctor`: what this machine offers, in words and as JSON, and an exit code that says whether grades count."""

import json
import os
import subprocess
import sys

import pytest

from grader.model.confinement import Confinement, layers
from grader.sandbox.confine.layers import LAYERS
from grader.sandbox.doctor import examine
from grader.sandbox.launch import ForkLauncher, SpawnLauncher

OUTSIDE_THE_WORKER = {"clean_ancestor", "namespaces", "cgroup", "private_folder", "wall_clock", "watch"}


@pytest.fixture(scope="module")
def examined(launch):
    return examine(launch)


@pytest.fixture(scope="module")
def spawned():
    with SpawnLauncher() as started:
        return examine(started)


@pytest.fixture
def doctor():
    def run(*options, **environment):
        command = [sys.executable, "-m", "grader", "doctor", *options]
        env = {**os.environ, **environment}
        return subprocess.run(command, env=env, capture_output=True, text=True, timeout=120, check=False)

    return run


def test_every_layer_is_in_force_or_missing_with_a_reason(examined):
    found = examined.confinement

    assert {*found.layers, *found.missing} | {"unused_user"} == {*layers()}
    assert not {*found.layers} & {*found.missing}
    assert all(found.missing.values())


def test_every_layer_has_a_title_and_says_what_it_stops():
    assert {layer.name for layer in LAYERS} | OUTSIDE_THE_WORKER == {*layers()}
    assert all(layer.title and layer.stops.endswith(".") for layer in layers().values())


def test_worker_was_started(examined):
    assert examined.worker_ms > 0
    assert examined.trouble == ""


def test_layer_that_was_left_out_is_missing(launch):
    with ForkLauncher(("seccomp",)) as started:
        found = examine(started).confinement

    assert "seccomp" not in found.layers
    assert found.missing["seccomp"] == "switched off"


def test_spawned_workers_are_for_practice(spawned):
    assert spawned.confinement.level == "practice"
    assert set(spawned.confinement.layers) == {"environment", "private_folder", "wall_clock", "watch"}
    assert "seccomp" in spawned.confinement.missing


ALL = tuple(name for name in layers() if name != "cgroup")


@pytest.mark.parametrize(
    ("missing", "level"),
    [
        ((), "full"),
        (("cgroup",), "full"),
        (("landlock",), "enough"),
        (("namespaces", "process_tree", "folder_quota"), "enough"),
        (("landlock", "namespaces"), "practice"),
        (("seccomp",), "practice"),
        (("unused_user",), "practice"),
    ],
)
def test_ladder(missing, level):
    there = tuple(name for name in ALL if name not in missing)

    assert Confinement(there, dict.fromkeys(missing, "a reason")).level == level


def test_nothing_lacking_is_no_shortfall():
    assert Confinement(ALL).shortfall() == ""


def test_shortfall_says_in_one_sentence_what_is_lacking_why_and_how_to_get_it():
    there = tuple(name for name in ALL if name != "seccomp")

    words = Confinement(there, {"seccomp": "refused by the container"}).shortfall()

    assert words.count(". ") == 0
    assert "Filter on system calls (refused by the container; to get it: " in words


def test_words_begin_with_what_it_comes_to(doctor, examined):
    done = doctor()

    assert {"full": "Full", "enough": "Enough", "practice": "Not enough"}[examined.confinement.level] in done.stdout
    assert done.returncode == (examined.confinement.level == "practice")


def test_missing_layer_is_shown_with_its_reason(doctor):
    done = doctor(GRADE_LAUNCHER="spawn")

    assert done.stdout.startswith("Not enough confinement")
    assert "needs Linux" in done.stdout
    assert done.returncode == 1


def test_json_is_all_that_is_printed(doctor, examined):
    found = json.loads(doctor("--json").stdout)

    assert found["level"] == examined.confinement.level
    assert found["confinement"]["layers"] == list(examined.confinement.layers)


def test_machine_without_torch_gets_a_sentence(doctor, tmp_path, monkeypatch):
    broken = tmp_path / "python"
    broken.write_text("#!/bin/sh\necho no torch here >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(broken))

    with ForkLauncher() as started, pytest.raises(Exception, match="no torch here"):
        examine(started)
