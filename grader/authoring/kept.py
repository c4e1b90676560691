"""Proofs that are kept: what `grade verify` has proven, `grade publish` need not prove again while all is the same.

One small file for each exercise in the user's cache, away from the course: it is never published, committed or handed
on. It tells by one digest what was proven. Whatever can change a verdict goes into that: all files of the exercise with
its mistakes and rewrites, the building blocks, seed, limits and names of the course, the grader's own code, and the
versions of what it runs with.
"""

from __future__ import annotations

import hashlib
import os
import platform
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import metadata
from pathlib import Path

import msgspec

import grader
from grader.authoring.proof import Proof
from grader.authoring.quiz_proof import quiz_among
from grader.authoring.verify import chosen
from grader.model.course import Course, Exercise, KnowledgeCheck
from grader.out import write_files

_RUNS_WITH = ("torch", "pytest", "msgspec")


class Kept(msgspec.Struct, frozen=True):
    """An exercise that was proven on so many course seeds, and what was not covered."""

    fingerprint: str
    seeds: int
    warnings: tuple[str, ...] = ()


def fingerprints(course: Course, names: Sequence[str]) -> dict[str, str]:
    """Of each of these exercises, and of the quiz (none named: of all), the digest of all that its proof rests on."""
    quiz = quiz_among(course, names)
    return {one.name: _fingerprint(course, one) for one in (*chosen(course, names), *((quiz,) if quiz else ()))}


def kept(course: Course, now: Mapping[str, str], seeds: int) -> dict[str, Kept]:
    """Those of the exercises that were proven as they are now, on at least so many course seeds."""
    found = {name: _read(_file(course, name)) for name in now}
    return {name: one for name, one in found.items() if one and one.fingerprint == now[name] and one.seeds >= seeds}


def keep(course: Course, proof: Proof, before: Mapping[str, str]) -> None:
    """Keep what is proven, unless it is another thing by now than `before` it was judged.

    Raises:
        UsageError: the cache cannot be written.
    """
    now = fingerprints(course, tuple(before))
    better = kept(course, now, proof.seeds + 1)
    for exercise in proof.exercises:
        is_same = exercise.name in now and now[exercise.name] == before[exercise.name]  # the quiz is not among them
        if not exercise.faults and exercise.name not in better and is_same:
            file = _file(course, exercise.name)
            one = Kept(now[exercise.name], proof.seeds, exercise.warnings)
            write_files(file.parent, {file.name: msgspec.json.encode(one)})


def cache_folder() -> Path:
    """Where this system keeps what may be lost; `XDG_CACHE_HOME` counts on each."""
    if given := os.environ.get("XDG_CACHE_HOME"):
        return Path(given) / "residual-grader"
    home = Path.home()
    usual = {
        "darwin": home / "Library" / "Caches",
        "win32": Path(os.environ.get("LOCALAPPDATA", home / "AppData/Local")),
    }
    return usual.get(sys.platform, home / ".cache") / "residual-grader"


def _file(course: Course, name: str) -> Path:
    """Of the same exercise the same file, so that a stale proof is replaced."""
    where = hashlib.sha256(course.root.encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return cache_folder() / "proofs" / f"{name}-{where}.json"


def _read(file: Path) -> Kept | None:
    try:
        return msgspec.json.decode(file.read_bytes(), type=Kept)
    except (OSError, msgspec.DecodeError):
        return None


def _fingerprint(course: Course, of: Exercise | KnowledgeCheck) -> str:
    root, folder = Path(course.root), Path(of.folder)
    every = (*course.exercises, *((course.quiz,) if course.quiz else ()))
    asked_for = [msgspec.structs.replace(one, folder="") for one in every]  # decides which file answers which of them
    settings = [_running_with(), of.name, course.seed, course.limits, asked_for]
    digest = hashlib.sha256(msgspec.json.encode(settings))
    digest.update(_digest(root, root.glob("*.py")) + _digest(folder, folder.rglob("*")))
    return digest.hexdigest()


@cache
def _running_with() -> tuple[str, ...]:
    package = Path(grader.__file__).parent
    code = _digest(package, package.rglob("*")).hex()
    versions = (f"{name} {metadata.version(name)}" for name in _RUNS_WITH)
    return (code, *versions, platform.python_version(), platform.system(), platform.machine())


def _digest(root: Path, paths: Iterable[Path]) -> bytes:
    """Names and contents; without what Python and editors leave behind."""
    digest = hashlib.sha256()
    for path in sorted(paths):
        inside = path.relative_to(root)
        if path.is_file() and not any(part.startswith((".", "__pycache__")) for part in inside.parts):
            data = path.read_bytes()
            digest.update(f"{inside.as_posix()}\0{len(data)}\0".encode("utf-8", "surrogateescape") + data)
    return digest.digest()
