"""What judges is judged: the solution earns all points, the stub none, mistakes are caught and named, rewrites pass.

Each on several course seeds, with the same verdicts on all: checks draw their inputs from the course's seed.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from grader.authoring.headers import Header, read_header
from grader.authoring.limits import proposed
from grader.authoring.proof import Coverage, ExerciseProof, Fault, Judged, Kind, Lost, Proof, Seen, Spent
from grader.authoring.quiz_proof import prove_quiz, quiz_among
from grader.authoring.stub import make_stub
from grader.authoring.texts import reading_of
from grader.errors import CourseError, IntakeError, UsageError
from grader.intake import accept
from grader.intake.parsing import Parsers
from grader.judges import judge_all
from grader.model.course import Course, Exercise
from grader.model.job import Finished, Job
from grader.model.record import Record
from grader.model.submission import Submission
from grader.pipeline import keep_out_of_reach, to_record
from grader.sandbox.launch import Launcher

Report = Callable[[int, int], None]


class Case(NamedTuple):
    """A file whose grade is known beforehand; `header` is what a mistake declares."""

    exercise: str
    kind: Kind
    file: str
    submission: Submission
    header: Header | None


def verify(
    course: Course, names: Sequence[str], seeds: int, launcher: Launcher, report: Report = lambda *_: None
) -> Proof:
    """Judge all known files of these exercises (none named: of all); `report` hears how many of how many are done.

    Raises:
        UsageError: there is no such exercise.
        CourseError, SandboxError: the checks could not be run at all.
    """
    exercises = chosen(course, names)
    with Parsers() as parsers:
        read = {one.name: [read_case(course, one, *known, parsers) for known in known_files(one)] for one in exercises}
    cases = [case for found in read.values() for case in found if isinstance(case, Case)]
    judged = list(zip(cases, judge_cases(cases, course, seeds, launcher, report), strict=True))
    proofs = [
        prove(
            name,
            [one for case, one in judged if case.exercise == name],
            [fault for fault in found if isinstance(fault, Fault)],
        )
        for name, found in read.items()
    ]
    if quiz := quiz_among(course, names):
        proofs.append(prove_quiz(course, quiz))
    return Proof(course.name, seeds, tuple(proofs), course.limits)


def chosen(course: Course, names: Sequence[str]) -> tuple[Exercise, ...]:
    """These exercises in the order of the course (none named: all), without the knowledge check.

    Raises:
        UsageError: there is no such exercise.
    """
    for name in names:
        if name not in course.names:
            raise UsageError(f"There is no exercise {name!r}. The course has {', '.join(course.names) or 'none'}.")
    return tuple(exercise for exercise in course.exercises if not names or exercise.name in names)


def known_files(exercise: Exercise) -> list[tuple[Kind, Path]]:
    """All files of an exercise whose grade is known; the stub is made from the solution."""
    files: list[tuple[Kind, Path]] = [("solution", exercise.solution), ("stub", exercise.solution)]
    folder = Path(exercise.folder)
    files += [("mistake", path) for path in sorted((folder / "mistakes").glob("*.py"))]
    files += [("rewrite", path) for path in sorted((folder / "rewrites").glob("*.py"))]
    return files


def read_case(
    course: Course, exercise: Exercise, kind: Kind, path: Path, parsers: Parsers | None = None
) -> Case | Fault:
    """The file as a submission, or why it cannot be judged."""
    inside = path.relative_to(exercise.folder).as_posix()  # which may lie elsewhere, behind a link
    file, only = f"{Path(course.root).name}/{exercise.name}/{inside}", (exercise.name,)
    try:
        source = path.read_text(encoding="utf-8")
        header = read_header(source, file) if kind == "mistake" else None
        if kind != "stub":
            return Case(exercise.name, kind, file, accept(path, course, only=only, parsers=parsers), header)
        with tempfile.TemporaryDirectory() as folder:
            stub = Path(folder) / f"{exercise.name}.py"
            stub.write_text(make_stub(source, file), encoding="utf-8")
            submission = accept(stub, course, only=only, parsers=parsers)
        if begun := _begun(exercise, submission):
            return Fault(f"{file} (its stub)", "a stub that counts as not begun", begun)
        return Case(exercise.name, kind, f"{file} (its stub)", submission, None)
    except (CourseError, IntakeError, OSError, UnicodeDecodeError) as error:
        words = str(error)
    place = re.match(rf"{re.escape(file)}:(\d+): ", words)
    line, words = (int(place[1]), words[place.end() :]) if place else (None, words)
    return Fault(file, f"a {kind} that can be judged", words, line)


def _begun(exercise: Exercise, submission: Submission) -> str:
    """What of a stub would count as begun though nobody has to begin it, as a part of a sentence; empty for nothing."""
    (work,) = submission.works
    names = [*((exercise.defines[0],) if exercise.optional and work.problem is None else ()), *work.parts]
    return f"code in {' and '.join(names)}: put all lines of a function between the markers" if names else ""


def judge_cases(
    cases: Sequence[Case], course: Course, seeds: int, launcher: Launcher, report: Report = lambda *_: None
) -> Iterator[Judged]:
    """What the grader finds in each on the course's own seed and on those derived from it."""
    keep_out_of_reach(course)
    courses = [course] + [msgspec.structs.replace(course, seed=f"{course.seed} {n}") for n in range(2, seeds + 1)]
    # What is for the page only is tried on the course's own seed.
    jobs = [Job(one, case.submission, for_page=one is course) for case in cases for one in courses]
    finished = judge_all(jobs, launcher)
    for number, case in enumerate(cases):
        seen, spent = [], []
        for nth in range(seeds):
            results = next(finished)
            seen.append(_seen(to_record(course, case.submission, results), case.exercise))
            spent.append(_spent(results))
            report(number * seeds + nth + 1, len(jobs))
        yield Judged(case.file, case.kind, case.header, tuple(seen), tuple(_faults(case, seen)), tuple(spent))


def _seen(record: Record, name: str) -> Seen:
    (exercise,) = record.exercises
    diagnosis, notes = exercise.diagnosis, record.staff["notes"]
    return Seen(
        points=exercise.points,
        max_points=exercise.max_points,
        tag=diagnosis.tag if diagnosis else None,
        formula=diagnosis.formula.found if diagnosis and diagnosis.formula else None,
        checks=tuple(check.name for check in exercise.checks),
        lost=tuple(
            Lost(check.name, check.verdict, check.tag, notes.get(f"{name}.{check.name}", "").strip())
            for check in exercise.checks
            if check.verdict not in ("passed", "needs_review")
        ),
        needs_review=tuple(check.name for check in exercise.checks if check.verdict == "needs_review"),
        reading=next((reading_of(diagnosis, check) for check in exercise.checks if check.name == diagnosis.check), None)
        if diagnosis
        else None,
        steps_note=notes.get(f"{name}.show_steps", "").strip(),
    )


def _spent(finished: Finished) -> Spent:
    (exercise,) = finished.results
    slowest = max(exercise.checks, key=lambda check: check.seconds)
    return Spent(round(exercise.load_seconds, 3), round(slowest.seconds, 3), slowest.name, exercise.memory_mib)


# What is not as declared ----------------------------------------------------------------------------------------------


def _faults(case: Case, seen: Sequence[Seen]) -> Iterator[Fault]:
    found = dict.fromkeys(pair for one in seen for pair in _unlike(case, one))
    if len({msgspec.json.encode(_verdict(one)) for one in seen}) > 1:
        each = [f"{one.points:g} points, {one.tag}, lost {_listed(one.failed)}" for one in seen]
        found[f"the same on {len(seen)} course seeds", "; ".join(dict.fromkeys(each))] = None
    for wanted, got in found:
        yield Fault(case.file, wanted, got)


def _verdict(seen: Seen) -> Seen:
    """What has to be the same on every seed: everything but notes and texts, which may hold numbers."""
    lost = tuple(msgspec.structs.replace(one, note="") for one in seen.lost)
    return msgspec.structs.replace(seen, lost=lost, reading=None, steps_note="")


def _unlike(case: Case, seen: Seen) -> Iterator[tuple[str, str]]:
    """Pairs of what was wanted and what was got."""
    for one in seen.broken:
        yield "a verdict", f"{one.check} could not be carried out: {_last_line(one.note)}"
    if seen.steps_note:
        yield "steps for the page", f"show_steps could not be carried out: {_last_line(seen.steps_note)}"
    if seen.broken:
        return
    most = f"{seen.max_points:g} points"
    if case.kind == "stub" and seen.points:
        passed = [check for check in seen.checks if check not in seen.failed]
        yield "no points", f"{seen.points:g} of {most}, for {_listed(passed)}"
    if case.kind in ("solution", "rewrite"):
        if seen.lost:
            yield f"all {most}", f"{seen.points:g}, lost {_listed([f'{one.check} ({one.tag})' for one in seen.lost])}"
        if seen.needs_review:
            yield "a verdict without a teacher", f"needs_review in {_listed(seen.needs_review)}"
    if case.header is not None:
        yield from _undeclared(case.header, seen)


def _undeclared(header: Header, seen: Seen) -> Iterator[tuple[str, str]]:
    if seen.points >= seen.max_points:
        yield f"points lost for {header.tag}", f"all {seen.max_points:g} points"
        return
    if seen.tag != header.tag:
        yield f"{header.tag} as first diagnosis", f"{seen.tag} (lost {_listed(seen.failed)})"
    if header.formula is not None and seen.formula != header.formula:
        yield f"the formula {header.formula}", f"{seen.formula}"
    if header.checks is not None and set(header.checks) != set(seen.failed):
        yield f"exactly these checks failed: {_listed(header.checks)}", _listed(seen.failed)


def _last_line(note: str) -> str:
    return note.rpartition("\n")[2]


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) or "none"


# What is covered ------------------------------------------------------------------------------------------------------


def prove(name: str, judged: Sequence[Judged], unread: Sequence[Fault]) -> ExerciseProof:
    """All files of an exercise put together: which mistake fails which check, and what that leaves uncovered."""
    checks = list(dict.fromkeys(check for one in judged for check in one.seen[0].checks))
    mistakes = [one for one in judged if one.kind == "mistake"]
    coverage = [Coverage(check, tuple(one.file for one in mistakes if check in one.seen[0].failed)) for check in checks]
    warnings = [
        f"{name} has no {kind}s: {unproven}"
        for kind, unproven in (("mistake", "that a wrong file is caught"), ("rewrite", "that other right files pass"))
        if not any(one.kind == kind for one in judged)
    ]
    warnings += [f"{name}: no mistake fails {one.check}" for one in coverage if mistakes and not one.mistakes]
    warnings += [
        f"{one.file}: {complaint}"
        for one in mistakes
        if one.seen[0].reading is not None
        for complaint in one.seen[0].reading.complaints
    ]
    limits = proposed([spent for one in judged if one.kind == "solution" for spent in one.spent])
    return ExerciseProof(name, tuple(judged), tuple(coverage), tuple(unread), tuple(warnings), limits)
