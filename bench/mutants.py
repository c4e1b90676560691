"""Whether the checks catch what nobody thought of, and whether each of them is needed.

`python -m bench.mutants [EXERCISE…] [--json] [--least N]`. First each check is removed in turn: some wrong file of the
repository must then pass, or be told another diagnosis. Then each solution is changed in small ways
(`bench.mutation`). An oracle that knows nothing of the grader (`bench.oracle`) says which mutants behave differently:
those must lose points, the others must get full marks. Ends with 1 where one does not, or where nobody can say why it
behaves the same.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from bench.mutation import Mutant, difference, mutants, reason
from bench.oracle import Oracle
from bench.scenes import SCENES
from bench.submissions import known
from grader.authoring.proof import ExerciseProof, Seen
from grader.authoring.verify import Case, chosen, judge_cases, prove
from grader.intake import accept
from grader.model.course import Course, Exercise, load_course
from grader.sandbox.launch import Launcher, launcher

ROOT = Path(__file__).resolve().parents[1]
LEAST = 100
RAISES = "raises"


class Needed(msgspec.Struct, frozen=True):
    """What a check adds: mistakes that pass without it, and mistakes that are told another tag first without it."""

    exercise: str
    check: str
    only: tuple[str, ...]
    first: tuple[str, ...]

    @property
    def idle(self) -> bool:
        """Whether removing it changes nothing that the wrong files show."""
        return not (self.only or self.first)


class Tried(msgspec.Struct, frozen=True):
    """A mutant: what the oracle saw (None: nothing that differs), and what the grader said."""

    exercise: str
    kind: str
    diff: str
    differs: str | None
    passed: bool
    tag: str | None
    broken: bool
    needs_review: bool

    @property
    def survivor(self) -> bool:
        """A mutant that behaves differently and kept all points, with no teacher asked."""
        return self.differs is not None and (self.broken or (self.passed and not self.needs_review))

    @property
    def wronged(self) -> bool:
        """A mutant that behaves the same and did not get full marks."""
        return self.differs is None and (self.broken or self.needs_review or not self.passed)

    @property
    def unexplained(self) -> bool:
        """A mutant that behaves the same, and nobody knows why."""
        return self.differs is None and reason(self.kind) is None


# Each check removed ---------------------------------------------------------------------------------------------------


def all_mistakes(course: Course, exercise: Exercise, started: Launcher) -> ExerciseProof:
    """What each wrong file of the repository fails: the exercise's own mistakes, and those of tests/cases."""
    cases = [
        Case(exercise.name, "mistake", str(path), accept(path, course, only=(exercise.name,)), None)
        for path in known(exercise.name, are_right=False)
    ]
    return prove(exercise.name, list(judge_cases(cases, course, 1, started)), ())


def needed(proof: ExerciseProof) -> Iterator[Needed]:
    """What each check of an exercise adds, from one grading of all mistakes."""
    mistakes = {judged.file: judged.seen[0] for judged in proof.files if judged.kind == "mistake"}
    for covered in proof.checks:
        only = [file for file in covered.mistakes if len(mistakes[file].failed) == 1]
        first = [
            file for file in covered.mistakes if file not in only and _first_changes(mistakes[file], covered.check)
        ]
        yield Needed(proof.name, covered.check, tuple(map(_short, only)), tuple(map(_short, first)))


def _first_changes(seen: Seen, check: str) -> bool:
    first, second = seen.lost[:2]
    return first.check == check and first.tag != second.tag


def _short(file: str) -> str:
    return Path(file).stem


# The solution changed -------------------------------------------------------------------------------------------------


class Question(NamedTuple):
    """A mutant, and what the oracle says."""

    mutant: Mutant
    differs: str | None


def oracle_of(course: Course, exercise: Exercise) -> Oracle:
    """Compares with the exercise's solution."""
    source = exercise.solution.read_text(encoding="utf-8")
    return Oracle(source, exercise.defines[0], SCENES[exercise.name](), course.building_blocks)


def questions(course: Course, exercise: Exercise, least: int = LEAST) -> Iterator[Question]:
    """All mutants with one change, then such with two that run, until `least` in all run."""
    oracle, running = oracle_of(course, exercise), 0
    for mutant in mutants(exercise.solution.read_text(encoding="utf-8"), exercise.defines[0]):
        twice = " + " in mutant.kind
        if twice and running >= least:
            return
        differs = oracle.difference(mutant.source)
        runs = differs is None or not differs.startswith(RAISES)
        running += runs
        if runs or not twice:
            yield Question(mutant, differs)


def tried(course: Course, exercise: Exercise, asked: Sequence[Question], started: Launcher) -> Iterator[Tried]:
    """What the grader says to each."""
    source = exercise.solution.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{exercise.name}.py"
        cases = [_case(course, exercise, question, path) for question in asked]
    for question, judged in zip(asked, judge_cases(cases, course, 1, started), strict=True):
        (seen,) = judged.seen
        yield Tried(
            exercise=exercise.name,
            kind=question.mutant.kind,
            diff=difference(source, question.mutant.source),
            differs=question.differs,
            passed=seen.points >= seen.max_points,
            tag=seen.tag,
            broken=bool(seen.broken),
            needs_review=bool(seen.needs_review),
        )


def _case(course: Course, exercise: Exercise, question: Question, path: Path) -> Case:
    path.write_text(question.mutant.source, encoding="utf-8")
    submission = accept(path, course, only=(exercise.name,))
    return Case(exercise.name, "rewrite" if question.differs is None else "mistake", path.name, submission, None)


# Showing --------------------------------------------------------------------------------------------------------------


def totals(found: Sequence[Tried]) -> dict[str, int]:
    """Counts over all mutants."""
    return {
        "mutants": len(found),
        "run": sum(not (one.differs or "").startswith(RAISES) for one in found),
        "different": sum(one.differs is not None for one in found),
        "caught": sum(one.differs is not None and not one.survivor for one in found),
        "equivalent": sum(one.differs is None for one in found),
        "survivors": sum(one.survivor for one in found),
        "wronged": sum(one.wronged for one in found),
        "unexplained": sum(one.unexplained for one in found),
    }


def told(found: Sequence[Tried]) -> Iterator[str]:
    """Totals, first tags, kinds, equivalent mutants with their reasons, and whatever is not as it should be."""
    counts = totals(found)
    yield "| " + " | ".join(counts) + " |\n|" + "--:|" * len(counts)
    yield "| " + " | ".join(map(str, counts.values())) + " |"
    tags = Counter(one.tag or "no tag" for one in found if one.differs is not None and not one.passed)
    yield "first tags: " + ", ".join(f"{tag} {number}" for tag, number in tags.most_common())
    same = [one for one in found if one.differs is None]
    kinds = Counter(kind for one in found for kind in one.kind.split(" + "))
    yield "changes: " + ", ".join(f"{kind} {number}" for kind, number in sorted(kinds.items()))
    yield from (
        f"equivalent, {one.kind}: {reason(one.kind) or 'NOBODY KNOWS WHY'}\n{_indented(one.diff)}" for one in same
    )
    for one in found:
        if one.differs is not None and not one.passed and one.tag is None:
            yield f"caught without a tag, {one.kind}: differs in {one.differs}\n{_indented(one.diff)}"
        if one.survivor:
            yield f"SURVIVOR, {one.kind}: differs in {one.differs}\n{_indented(one.diff)}"
        if one.wronged:
            yield f"WRONGED, {one.kind}: tag {one.tag}, needs_review {one.needs_review}\n{_indented(one.diff)}"


def _indented(diff: str) -> str:
    return "\n".join(f"    {line}" for line in diff.split("\n"))


def told_of(check: Needed) -> str:
    """One check in one line."""
    if check.idle:
        return f"| {check.check} | IDLE | |"
    return f"| {check.check} | {_few(check.only)} | {_few(check.first)} |"


def _few(names: Sequence[str], most: int = 4) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def main(arguments: argparse.Namespace) -> int:
    """Try, print, and say whether everything is as it should be."""
    course = load_course(ROOT / "solutions")
    checks: list[Needed] = []
    found: list[Tried] = []
    exercises = chosen(course, arguments.exercises)
    with launcher() as started:
        for exercise in exercises:
            checks += needed(all_mistakes(course, exercise, started))
            asked = list(questions(course, exercise, arguments.least))
            found += tried(course, exercise, asked, started)
    if arguments.json:
        plain = {"checks": [_plain(one, "idle") for one in checks], "totals": totals(found)}
        plain["mutants"] = [_plain(one, "survivor", "wronged") for one in found]
        print(json.dumps(plain, indent=1, ensure_ascii=False))
    else:
        for exercise in exercises:
            _print(exercise.name, checks, found)
    counts = totals(found)
    idle = sum(one.idle for one in checks)
    return int(counts["survivors"] + counts["wronged"] + counts["unexplained"] + idle > 0)


def _print(name: str, checks: Sequence[Needed], found: Sequence[Tried]) -> None:
    print(f"\n## {name}\n\n| check | mistakes that pass without it | that lose their first diagnosis |\n|:--|:--|:--|")
    print(*(told_of(one) for one in checks if one.exercise == name), sep="\n")
    print("", *told([one for one in found if one.exercise == name]), sep="\n")


def _plain(one: Needed | Tried, *properties: str) -> dict[str, Any]:
    return {**msgspec.to_builtins(one), **{name: getattr(one, name) for name in properties}}


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(prog="python -m bench.mutants", description=(__doc__ or "").splitlines()[0])
    made.add_argument("exercises", nargs="*", metavar="EXERCISE", help="these only (default: all)")
    made.add_argument("--json", action="store_true", help="print all of it as JSON")
    made.add_argument("--least", type=int, default=LEAST, help=f"how many mutants that run (default: {LEAST})")
    return made


if __name__ == "__main__":
    sys.exit(main(parser().parse_args()))
