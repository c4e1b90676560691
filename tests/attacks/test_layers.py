"""What each layer of confinement is for: attacks that get through when it is left out, and only then.

Layers overlap. Where two stop the same attack, it gets through only without both, and each of them stops it alone.
"""

import os
import platform
from collections.abc import Callable, Iterator
from functools import cache

import pytest
from arena import Arena, Outcome
from attack import ATTACKS

from grader.model.confinement import layers

# Layers that are left out together → attacks that get through then.
PROVES: dict[tuple[str, ...], tuple[str, ...]] = {
    ("capabilities", "unused_user"): ("448_rights_of_root",),
    ("descriptors",): ("209_open_descriptors",),
    ("environment",): ("203_environment",),
    ("landlock", "namespaces"): (
        "301_write_results", "304_python_doors", "401_looks_at_processes", "902_start_up_files",
    ),
    ("landlock", "seccomp"): ("309_makes_special_files",),
    ("namespaces",): ("312_stat_oracle",),
    ("namespaces", "seccomp"): ("302_metadata", "429_starves_neighbours", "502_unix_sockets"),
    ("no_new_privs",): ("445_new_privileges",),
    ("not_dumpable", "unused_user"): ("447_can_be_traced",),
    ("process_tree",): ("446_sees_its_parent",),
    ("rlimits",): ("727_many_descriptors",),
    ("seccomp",): (
        "404_reads_memory_of_others", "409_new_user_namespace", "426_bare_forks", "503_other_families",
    ),
    ("unused_user",): ("432_becomes_another_user",),
}  # fmt: skip
# Layers that no attack of one file can get past alone, or that cannot be left out → the tests that show them.
SHOWN_ELSEWHERE = {
    "cgroup": "tests/sandbox/test_cgroup.py",
    "clean_ancestor": "201_frames_and_objects, 202_own_memory; it cannot be left out",
    "folder_quota": "tests/sandbox/test_watch.py: where there is none, the watch takes its place",
    "killed_first": "tests/sandbox/test_worker_environment.py",
    "parent_death": "tests/sandbox/test_launching.py",
    "private_folder": "901_state_between, 904_files_beside_it; it cannot be left out",
    "wall_clock": "701_endless_loop and all that hang; it cannot be left out",
    "watch": "tests/sandbox/test_watch.py",
}

# (layers left out, attack, the layer that stops it all the same, or None when it gets through), each arena's together
CASES = sorted({
    (tuple(layer for layer in without if layer != kept), name, kept)
    for without, names in PROVES.items() for name in names for kept in (None, *without)
    if kept is None or len(without) > 1
}, key=lambda case: (case[0], case[2] is None, case[1]))  # fmt: skip
ROOT_ONLY = pytest.mark.skipif(os.geteuid() != 0, reason="only who starts as root becomes another user")
pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="system calls go by number")


@pytest.fixture(scope="module")
def outcome_without() -> Iterator[Callable[[tuple[str, ...], str], Outcome]]:
    """What came of an attack in an arena without some layers; one arena is open at a time."""
    opened: dict[tuple[str, ...], Arena] = {}

    def close() -> None:
        while opened:
            opened.popitem()[1].__exit__(None, None, None)

    @cache
    def outcome(without: tuple[str, ...], name: str) -> Outcome:
        if without not in opened:
            close()
            opened[without] = Arena(without).__enter__()
        return opened[without].fight(ATTACKS[name])

    yield outcome
    close()


def test_every_layer_is_shown_somewhere():
    assert {layer for without in PROVES for layer in without} | SHOWN_ELSEWHERE.keys() == layers().keys()


@pytest.mark.parametrize(
    ("without", "name", "kept"),
    [pytest.param(*case, marks=ROOT_ONLY if "unused_user" in (*case[0], case[2]) else ()) for case in CASES],
)
def test_attack_gets_through_without_its_layers_only(without, name, kept, outcome_without):
    outcome = outcome_without(without, name)
    if kept is not None and kept not in outcome.before["environment"]["confinement"]:
        pytest.skip(f"this machine has no {kept} then")

    assert (outcome.breaches != []) == (kept is None), outcome.breaches
