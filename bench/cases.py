"""How right the verdicts are: every file of a folder of cases, graded through the whole pipeline.

`python -m bench.cases DIR [--json] [--seeds N] [--only PATTERN]`. DIR holds `manifest.json`, a list of objects with
`file` (relative to DIR), `exercise`, `verdict` ("pass" or "fail"), `diagnosis` (the tag that must be read first, "ok"
for right files) and, where they are asked for, `expected_formula` (in any notation, or in words), `formula` (letter by
letter) and `checks` (all that are lost, and no other). Ends with 1 when a right file fails or a wrong one passes.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import math
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from bench import formulas
from grader.authoring.texts import reading_of
from grader.intake import accept
from grader.intake.parsing import Parsers
from grader.judges import judge_all
from grader.model.course import Course, load_course
from grader.model.job import Job
from grader.model.record import ExerciseRecord
from grader.pipeline import to_record
from grader.sandbox.launch import Launcher, launcher

ROOT = Path(__file__).resolve().parents[1]
TOTALS = ("files", "false_failures", "false_passes", "tag_right", "tag_total", "formula_right", "formula_total",
          "needs_review")  # fmt: skip


class Case(msgspec.Struct, frozen=True):
    """One entry of the manifest."""

    file: str
    exercise: str
    verdict: str
    diagnosis: str
    expected_formula: str = ""
    formula: str | None = None
    checks: tuple[str, ...] | None = None


class Outcome(msgspec.Struct, frozen=True):
    """What a file got beside what it should get. `tag_right` and `formula_right` are None where nothing is asked.

    `broken` are checks that could not be carried out; `complaints` say that what is read first is too long or too hard.
    """

    file: str
    exercise: str
    wanted: str
    verdict: str
    wanted_tag: str
    tag: str | None
    wanted_formula: str
    formula: str | None
    happened: str
    lost: tuple[str, ...]
    wanted_lost: tuple[str, ...] | None
    broken: tuple[str, ...]
    complaints: tuple[str, ...]
    needs_review: tuple[str, ...]
    tag_right: bool | None
    formula_right: bool | None
    seconds: float

    @property
    def false_failure(self) -> bool:
        """A right file that lost points."""
        return self.wanted == "pass" and self.verdict != "passed"

    @property
    def false_pass(self) -> bool:
        """A wrong file that lost none, and that no teacher is asked to look at."""
        return self.wanted == "fail" and self.verdict == "passed" and not self.needs_review

    @property
    def checks_right(self) -> bool:
        """Whether the checks that the manifest names are lost, and no other."""
        return self.wanted_lost is None or set(self.lost) == set(self.wanted_lost)

    @property
    def differs(self) -> bool:
        """Whether anything is not as the manifest says."""
        right = self.checks_right and self.tag_right is not False and self.formula_right is not False
        return self.false_failure or self.false_pass or not right


def grade(folder: Path, cases: Sequence[Case], course: Course, started: Launcher) -> Iterator[Outcome]:
    """Every case through intake, judge and worker, as `grade submit FILE` would."""
    for case in cases:
        if course.exercise(case.exercise) is None:
            raise ValueError(f"{case.file}: the course has no exercise {case.exercise}")
    with Parsers() as parsers:
        submissions = [accept(folder / case.file, course, only=(case.exercise,), parsers=parsers) for case in cases]
    finished = judge_all((Job(course, submission) for submission in submissions), started)
    for case, submission, one in zip(cases, submissions, finished, strict=True):
        record = to_record(course, submission, one)
        seconds = sum(check.seconds for result in one.results for check in result.checks)
        yield _outcome(case, record.exercises[0], seconds + sum(result.load_seconds for result in one.results), course)


def _outcome(case: Case, exercise: ExerciseRecord, seconds: float, course: Course) -> Outcome:
    diagnosis = exercise.diagnosis
    asked = course.exercise(case.exercise)
    assert asked is not None
    formula = diagnosis.formula.found if diagnosis and diagnosis.formula else None
    wrong = case.verdict == "fail"
    readings = [
        reading_of(diagnosis, one) for one in exercise.checks if wrong and diagnosis and one.name == diagnosis.check
    ]
    return Outcome(
        file=case.file,
        exercise=case.exercise,
        wanted=case.verdict,
        verdict="passed" if exercise.points == exercise.max_points else "failed",
        wanted_tag=case.diagnosis,
        tag=diagnosis.tag if diagnosis else None,
        wanted_formula=case.formula or case.expected_formula,
        formula=formula,
        happened=diagnosis.happened if diagnosis else "",
        lost=tuple(check.name for check in exercise.checks if check.points < check.max_points),
        wanted_lost=case.checks,
        broken=tuple(check.name for check in exercise.checks if check.verdict == "grader_error"),
        complaints=tuple(complaint for one in readings for complaint in one.complaints),
        needs_review=tuple(check.name for check in exercise.checks if check.verdict == "needs_review"),
        tag_right=(diagnosis is not None and diagnosis.tag == case.diagnosis) if wrong else None,
        formula_right=_formula_right(case, asked.formula, formula or "") if wrong else None,
        seconds=round(seconds, 3),
    )


def _formula_right(case: Case, asked: str, found: str) -> bool | None:
    """Whether the formula is the wanted one; None where the manifest names none, or the one that is asked for."""
    if case.formula is not None:
        return found == case.formula
    wanted, numbered = case.expected_formula, case.exercise == "transformer_block"
    if formulas.read(wanted, numbered_norms=numbered) is None or formulas.same(wanted, asked, numbered_norms=numbered):
        return None
    return formulas.same(wanted, found, numbered_norms=numbered)


def totals(outcomes: Sequence[Outcome]) -> dict[str, int]:
    """Counts over all files; needs_review counts right files that a teacher would have to look at."""
    counts = (
        len(outcomes),
        sum(one.false_failure for one in outcomes),
        sum(one.false_pass for one in outcomes),
        sum(one.tag_right is True for one in outcomes),
        sum(one.tag_right is not None for one in outcomes),
        sum(one.formula_right is True for one in outcomes),
        sum(one.formula_right is not None for one in outcomes),
        sum(bool(one.needs_review) for one in outcomes),
    )
    return dict(zip(TOTALS, counts, strict=True))


def rows(counts: dict[str, int], outcomes: Sequence[Outcome]) -> Iterator[str]:
    """The totals as a Markdown table."""
    right = [one for one in outcomes if one.wanted == "pass"]
    undecided = sum(bool(one.needs_review) for one in right)
    times = sorted(one.seconds for one in outcomes)
    lines = {
        "right files that fail": f"{counts['false_failures']} of {len(right)}",
        "wrong files that pass": f"{counts['false_passes']} of {counts['tag_total']}",
        "wrong files whose first tag is right": _share(counts["tag_right"], counts["tag_total"]),
        "first formula right, of those that name one": _share(counts["formula_right"], counts["formula_total"]),
        "right files that a teacher would have to look at": str(undecided),
        "wrong files that a teacher would have to look at": str(counts["needs_review"] - undecided),
        "seconds of checks for one file, median and longest": f"{times[len(times) // 2]:.2f}, {times[-1]:.2f}",
    }
    yield "| | |\n|:--|--:|"
    yield from (f"| {what} | {value} |" for what, value in lines.items())


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({math.floor(1000 * part / whole) / 10:g} %)" if whole else "none"


def told(one: Outcome) -> str:
    """One file that differs, in lines."""
    lines = [f"{one.file}: wanted {one.wanted} ({one.wanted_tag}), got {one.verdict} ({one.tag})"]
    lines += [f"    {one.happened}"] if one.happened else []
    if one.formula_right is False:
        lines.append(f"    formula: wanted {one.wanted_formula}, got {one.formula}")
    lines += [f"    lost: {', '.join(one.lost)}"] if one.false_failure or not one.checks_right else []
    lines += [f"    to be lost: {', '.join(one.wanted_lost or ())}"] if not one.checks_right else []
    return "\n".join(lines)


def unstable(runs: Sequence[Sequence[Outcome]]) -> list[str]:
    """Files whose verdict, tag, formula or lost checks differ between course seeds."""
    kept = [[(one.verdict, one.tag, one.formula, one.lost, one.needs_review) for one in run] for run in runs]
    return [one.file for number, one in enumerate(runs[0]) if len({run[number] for run in kept}) > 1]


def main(arguments: argparse.Namespace) -> int:
    """Grade, print, and say whether a verdict was wrong."""
    folder = Path(arguments.folder)
    listed = msgspec.json.decode((folder / "manifest.json").read_bytes(), type=list[Case])
    cases = [case for case in listed if fnmatch.fnmatch(case.file, arguments.only)]
    course = load_course(ROOT / "solutions")
    seeds = [course.seed, *(f"{course.seed} {number}" for number in range(2, arguments.seeds + 1))]
    begun = time.monotonic()
    with launcher() as started:
        runs = [list(grade(folder, cases, msgspec.structs.replace(course, seed=seed), started)) for seed in seeds]
    seconds, counts, changing = time.monotonic() - begun, totals(runs[0]), unstable(runs)
    if arguments.json:
        files = [{**_plain(one), "stable": one.file not in changing} for one in runs[0]]
        print(json.dumps({"totals": counts, "files": files}, indent=1, ensure_ascii=False))
    else:
        print(*rows(counts, runs[0]), sep="\n")
        print(f"| files that differ between {len(seeds)} course seeds | {len(changing)} |")
        print(f"\n{len(cases)} files × {len(seeds)} seeds in {seconds:.0f} s.")
        print(*(told(one) for one in runs[0] if one.differs), sep="\n")
        print(*(f"{file}: not the same on every seed" for file in changing), sep="\n")
    return int(counts["false_failures"] + counts["false_passes"] + len(changing) > 0)


def _plain(one: Outcome) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(one)
    return plain


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(prog="python -m bench.cases", description=(__doc__ or "").splitlines()[0])
    made.add_argument("folder", help="a folder of cases with its manifest.json")
    made.add_argument("--json", action="store_true", help="print totals and every file as JSON")
    made.add_argument("--seeds", type=int, default=1, help="how many course seeds to try (default: 1)")
    made.add_argument("--only", default="*", metavar="PATTERN", help="grade matching files only, e.g. 'residual_add/*'")
    return made


if __name__ == "__main__":
    sys.exit(main(parser().parse_args()))
