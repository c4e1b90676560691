"""The whole way of one submission, on one screen.

    path ──accept──▶ Submission ──judge──▶ ExerciseResults ──to_record──▶ Record

The judge is another process (`grader.checks.judge`); in it, each exercise gets a Session with a confined worker.
"""

from __future__ import annotations

import platform
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from grader import __version__
from grader.errors import CourseError, GradeError, SandboxError
from grader.intake import accept
from grader.model import record as r
from grader.model.course import QUIZ, Course
from grader.model.job import Answer, Broken, Finished, Job, Progress
from grader.model.results import CheckResult, ExerciseResult, Formula, Verdict
from grader.model.submission import Submission, Work
from grader.sandbox.confine import readable
from grader.sandbox.launch import Launcher, Line

JUDGE = "grader.checks.judge:main"
NO_TIME = r.Timing("", {})
Report = Callable[[Progress], None]


class HandedIn(NamedTuple):
    """What to grade: a path, whose it is, and which exercises (none named: all).

    With `everything` the checks for after the deadline run before it, too: for who holds their results back.
    """

    path: Path
    student: str = ""
    only: tuple[str, ...] = ()
    everything: bool = False


def grade_submission(
    handed_in: HandedIn, course: Course, launcher: Launcher, report: Report = lambda _: None
) -> r.Record:
    """Grade one submission; `report` hears of each check as it ends.

    Raises:
        UsageError, IntakeError: the path cannot be read as a submission.
        CourseError, SandboxError: it could not be judged, through no fault of the student.
    """
    started, begun = datetime.now(UTC), time.monotonic()
    keep_out_of_reach(course)
    submission = accept(handed_in.path, course, student=handed_in.student, only=handed_in.only)
    accepted = time.monotonic()
    due = course.deadline.due(handed_in.student) if course.deadline is not None else started
    early = started < due and not handed_in.everything
    with launcher.judge(JUDGE) as line:
        finished = judge(line, Job(course, submission, early), report)
    seconds = {"intake": accepted - begun, "checks": time.monotonic() - accepted}
    return to_record(course, submission, finished, timing(finished, started, seconds))


def keep_out_of_reach(course: Course) -> None:
    """Raises CourseError for a course in one of the folders that every worker may read."""
    for folder in readable.paths():
        if Path(course.root).is_relative_to(Path(folder).resolve()):
            raise CourseError(
                f"{course.root} lies inside {folder}, which submissions may read. Please move the course."
            )


def judge(line: Line, job: Job, report: Report) -> Finished:
    """Send a job to a judge and wait for its results."""
    line.send(msgspec.json.encode(job))
    while (body := line.receive()) is not None:
        answer: Answer = msgspec.json.decode(body, type=Answer)
        if isinstance(answer, Finished):
            return answer
        if isinstance(answer, Broken):
            error = GradeError(answer.message)
            error.add_note(answer.details)
            raise error
        report(answer)
    raise SandboxError("The process that runs the checks ended without a result. Please run the command again.")


def to_record(course: Course, submission: Submission, finished: Finished, timed: r.Timing = NO_TIME) -> r.Record:
    """Everything that a page, a gradebook or an export needs, as plain data."""
    works = {work.exercise: work for work in submission.works}
    exercises = tuple(_exercise(result, works[result.name], course.optional) for result in finished.results)
    answers = [work.file for work in submission.works if work.file and work.answers is not None]
    return r.Record(
        submission=r.SubmissionRecord(
            submission.student,
            submission.digest,
            tuple(r.FileRecord(file.path, file.digest) for file in (*submission.files, *answers)),
            tuple(r.SkippedRecord(skipped.path, skipped.reason) for skipped in submission.skipped),
        ),
        course=r.CourseRecord(
            course.name, course.digest, course.held_back, sum(result.at_deadline for result in finished.results)
        ),
        exercises=exercises,
        points=_round(sum(exercise.points for exercise in exercises)),
        max_points=_round(sum(exercise.max_points for exercise in exercises)),
        environment=r.EnvironmentRecord(
            __version__,
            finished.python,
            finished.torch,
            f"{sys.platform} {platform.machine()}",
            finished.confinement.layers,
            finished.confinement.missing,
            finished.confinement.level,
            msgspec.structs.asdict(course.limits),
        ),
        staff=_staff(course, finished),
        timing=timed,
    )


def _exercise(result: ExerciseResult, work: Work, optional: frozenset[str]) -> r.ExerciseRecord:
    mine = {check.name for check in result.checks if {result.name, f"{result.name}.{check.part}"} & optional}
    checks = tuple(_check(check, optional=check.name in mine) for check in result.checks)
    points, most = (_round(sum(values)) for values in ((c.points for c in checks), (c.max_points for c in checks)))
    shown = [check.evidence for check in result.checks if check.visibility == "visible"]
    gradients: dict[str, Any] = next((evidence["gradients"] for evidence in shown if "gradients" in evidence), {})
    first = _first(result)
    return r.ExerciseRecord(
        name=result.name,
        title=result.title,
        file=work.file.path if work.file else None,
        points=points,
        max_points=most,
        verdict=_verdict(result, first),
        diagnosis=_diagnosis(first, result) if first is not None else None,
        checks=checks,
        remarks=result.remarks,
        trace=result.trace,
        gradients=gradients,
        printed=result.printed,
        optional=result.name in optional,
        quiz=work.exercise == QUIZ,
    )


def _check(check: CheckResult, *, optional: bool) -> r.CheckRecord:
    evidence = {k: v for k, v in check.evidence.items() if k != "gradients"} if check.visibility == "visible" else {}
    return r.CheckRecord(
        check.name,
        check.title,
        check.concept,
        check.visibility,
        check.verdict,
        _round(check.points),
        _round(check.max_points),
        check.tag,
        check.happened,
        check.expected,
        check.formula,
        check.where,
        check.hints,
        check.remarks,
        evidence,
        optional=optional,
    )


def _first(result: ExerciseResult) -> CheckResult | None:
    """The check that the student should read first: the first one lost, in the order of checks.py; ours come last."""
    lost = [check for check in result.checks if check.verdict not in ("passed", "needs_review")]
    return min(lost, key=lambda check: check.verdict == "grader_error", default=None)


def _verdict(result: ExerciseResult, first: CheckResult | None) -> Verdict:
    if first is None:
        return "needs_review" if any(check.verdict == "needs_review" for check in result.checks) else "passed"
    return "partial" if any(check.points for check in result.checks) else first.verdict


def _diagnosis(check: CheckResult, result: ExerciseResult) -> r.Diagnosis:
    formula = check.formula or _formula_beside(check, result)
    half = formula.half if formula else None
    next_step = check.hints[-1] if check.hints else check.expected
    return r.Diagnosis(
        check.name, check.tag, half, check.happened, check.expected, formula, check.where, next_step, check.why
    )


def _formula_beside(check: CheckResult, result: ExerciseResult) -> Formula | None:
    """What another check found: a wrong formula that means the same mistake, else the one that is as asked for."""
    known = [(other.tag, other.formula) for other in result.checks if other.formula is not None]
    same = (formula for tag, formula in known if tag is not None and tag == check.tag)
    right = (formula for tag, formula in known if tag is None and formula.found == formula.expected)
    return next(same, None) or next(right, None)


def _staff(course: Course, finished: Finished) -> dict[str, Any]:
    checks = [(result.name, check) for result in finished.results for check in result.checks]
    return {
        "course_seed": course.seed,
        "notes": {f"{name}.{check.name}": check.staff_note for name, check in checks if check.staff_note}
        | {f"{result.name}.show_steps": result.staff_note for result in finished.results if result.staff_note},
        "printed": {f"{name}.{check.name}": check.printed for name, check in checks if check.printed},
        "evidence": {
            f"{name}.{check.name}": check.evidence
            for name, check in checks
            if check.evidence and check.visibility != "visible"
        },
    }


def timing(finished: Finished, started: datetime, seconds: dict[str, float]) -> r.Timing:
    """When it began, and how long each part took (seconds, milliseconds kept)."""
    parts = {f"load {result.name}": result.load_seconds for result in finished.results}
    parts |= {f"{result.name}.{check.name}": check.seconds for result in finished.results for check in result.checks}
    return r.Timing(started.isoformat(timespec="seconds"), {k: round(v, 3) for k, v in {**seconds, **parts}.items()})


def _round(points: float) -> float:
    """Two decimals: thirds of a point add up to what a person expects."""
    return round(points, 2)
