"""Judging one submission: one result per check, in a pytest session that may serve many submissions.

Visible checks of an exercise run first: what a student's code prints in them is shown to the student, so it must not
have met hidden inputs.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
import torch

from grader.checks import where
from grader.checks.bench import Bench, prepare
from grader.checks.collection import Checks, with_checks
from grader.checks.declare import ATTRIBUTE, Rubric
from grader.checks.draw import Draw, seed_for
from grader.checks.earlier import with_earlier
from grader.checks.expect import CheckFailed, NeedsReview
from grader.checks.modules import state_first
from grader.checks.outcome import ended, stated, with_words
from grader.checks.student import Student
from grader.errors import GradeError
from grader.model.course import Course, Exercise
from grader.model.job import Job
from grader.model.results import CheckResult, ExerciseResult, Printed, Where
from grader.model.submission import Submission, Work
from grader.sandbox.process import Workers
from grader.sandbox.session import StudentRaised, WorkerLost
from grader.sandbox.worker.messages import BadFrame

Report = Callable[[str, str, int, int], None]
ShowSteps = Callable[[Student, Draw], tuple[dict[str, Any], ...]]


def run_checks(
    course: Course, submission: Submission, workers: Workers, report: Report = lambda *_: None
) -> tuple[ExerciseResult, ...]:
    """Judge every work of the submission; `report` hears of each check as it ends (exercise, check, done, total).

    Raises:
        CourseError: the checks cannot be collected.
        SandboxError: no worker can be started.
    """
    asked = Job(course, submission)
    return with_checks(course, asked.exercises, lambda checks: judge(checks, asked, workers, report))


def judge(checks: Checks, job: Job, workers: Workers, report: Report = lambda *_: None) -> tuple[ExerciseResult, ...]:
    """`run_checks` with checks that were collected before; the course may have another seed, or other limits, now."""
    torch.set_default_dtype(torch.float64)
    try:
        return _judged(checks, job, workers, report)
    finally:
        where.close()


def _judged(checks: Checks, job: Job, workers: Workers, report: Report) -> tuple[ExerciseResult, ...]:
    judging = Judging(checks, job, workers, report)
    judging.run()

    def again(work: Work) -> ExerciseResult:
        alone = msgspec.structs.replace(job, submission=msgspec.structs.replace(job.submission, works=(work,)))
        once_more = Judging(checks, alone, workers, lambda *_: None)
        once_more.run()
        return once_more.result(work.exercise)

    works = [work for work in job.submission.works if job.course.exercise(work.exercise) is not None]
    return tuple(
        with_earlier(judging.result(work.exercise), work, judging.bench(work.exercise), again) for work in works
    )


class Judging:
    """Turns each check of a submission into a CheckResult."""

    def __init__(self, checks: Checks, job: Job, workers: Workers, report: Report) -> None:
        self._checks, self._workers, self._report = checks, workers, report
        self._course, self._submission, self._for_page = job.course, job.submission, job.for_page
        self._works = {work.exercise: work for work in job.submission.works}
        self._items = {one.name: self._counted(one, early=job.early) for one in job.exercises}
        self._left_out = {one.name: len(self._counted(one)) - len(self._items[one.name]) for one in job.exercises}
        self._benches: dict[str, Bench] = {}
        self._results: dict[str, dict[str, CheckResult]] = {}
        self._traces: dict[str, tuple[dict[str, Any], ...]] = {}
        self._notes: dict[str, str] = {}

    def run(self) -> None:
        """All checks, exercise by exercise, visible ones first."""
        every = [item for items in self._items.values() for item in sorted(items, key=_is_hidden)]
        try:
            self._checks.run(every, self._one)
        finally:
            for bench in self._benches.values():
                bench.close()

    def _counted(self, exercise: Exercise, *, early: bool = False) -> list[pytest.Function]:
        """The checks of what the course asks for, and of the optional parts that the student has begun.

        `early`: without those that run after the deadline.
        """
        begun = self._works[exercise.name].parts
        parts = {part.name for part in exercise.parts
                 if part.role == "required" or (part.role == "optional" and part.name in begun)}  # fmt: skip
        found = [item for item in self._checks.items[exercise.name] if _rubric(item).part in (None, *parts)]
        return [item for item in found if not (early and _rubric(item).visibility == "after_deadline")]

    # -- one check

    def _one(self, item: pytest.Function) -> None:
        """Open the check, let it run, and turn however it ended into a result."""
        exercise, begun = self._checks.exercise_of(item), time.monotonic()
        student: Student | None = None
        ending: Exception | None = None
        try:
            bench = self._bench(exercise)
            if bench.blocked is None:
                student = bench.student()
                if part := _rubric(item).part:
                    bench.require(part)
                self._call(item, exercise, student)
        except GradeError:
            raise
        except Exception as error:
            ending = error if student is None else state_first(student, error)
        result = self._judged(item, bench, student, ending, time.monotonic() - begun)
        self._results.setdefault(exercise.name, {})[result.name] = result
        if len(self._results[exercise.name]) == len(self._items[exercise.name]):
            self._show_steps(exercise, item, bench)
        done = sum(len(results) for results in self._results.values())
        self._report(exercise.name, result.name, done, sum(map(len, self._items.values())))

    def _call(self, item: pytest.Function, exercise: Exercise, student: Student) -> None:
        purpose = (self._course.seed, self._submission.digest, exercise.name, _name(item))
        student.begin(seed_for(*purpose, "worker"))
        given: dict[str, Any] = {"student": student, "draw": Draw(seed_for(*purpose, "judge"))}
        names = item._fixtureinfo.argnames
        if "reference" in names:
            given["reference"] = self._checks.reference(exercise)
        item.obj(**{name: given[name] if name in given else item.funcargs[name] for name in names})

    def _show_steps(self, exercise: Exercise, item: pytest.Function, bench: Bench) -> None:
        """Replay a forward pass for the page, which goes without it where that is not possible."""
        show: ShowSteps | None = getattr(item.module, "show_steps", None)
        if show is None or bench.blocked is not None or not self._for_page:
            return
        purpose = (self._course.seed, self._submission.digest, exercise.name, "show_steps")
        try:
            student = bench.student()
            student.begin(seed_for(*purpose, "worker"))
            self._traces[exercise.name] = show(student, Draw(seed_for(*purpose, "judge")))
        except (CheckFailed, NeedsReview, StudentRaised, WorkerLost, BadFrame):
            return
        except GradeError:
            raise
        except Exception as error:  # the author's: no reason to lose a grade
            self._notes[exercise.name] = "".join(traceback.format_exception(error))[-2000:]

    def _bench(self, exercise: Exercise) -> Bench:
        if exercise.name not in self._benches:
            for other in self._benches.values():
                other.close()
            work = self._works[exercise.name]
            self._benches[exercise.name] = prepare(self._course, self._submission, work, self._workers)
        return self._benches[exercise.name]

    # -- results

    def _judged(
        self, item: pytest.Function, bench: Bench, student: Student | None, ending: Exception | None, seconds: float
    ) -> CheckResult:
        rubric = _rubric(item)
        printed = bench.session.take_output() if bench.session is not None and bench.blocked is None else Printed()
        hidden = _is_hidden(item)
        if not hidden:
            bench.printed = _joined(bench.printed, printed)
        result = CheckResult(
            name=_name(item),
            title=" ".join((item.obj.__doc__ or _name(item)).split()),
            concept=rubric.concept,
            visibility=rubric.visibility,
            verdict="passed",
            points=rubric.points,
            max_points=rubric.points,
            part=rubric.part,
            hints=rubric.hints,
            why=bench.exercise.why.get(rubric.concept, ""),
            remarks=tuple(student.remarks) if student else (),
            evidence=dict(student.evidence) if student else {},
            printed=printed.head + printed.tail if hidden else "",
            seconds=seconds,
        )
        if bench.blocked is not None:
            return with_words(result, bench.blocked.explained, bench.blocked.where)
        if ending is None:
            return msgspec.structs.replace(result, formula=stated(student.formula) if student else None)
        return ended(result, bench.locate if self._for_page else _where_it_stopped, ending)

    def bench(self, exercise: str) -> Bench:
        """What the checks of an exercise ran on."""
        return self._benches[exercise]

    def result(self, name: str) -> ExerciseResult:
        """All checks of an exercise in the order of its file."""
        bench, results, exercise = self._benches[name], self._results[name], self._benches[name].exercise
        return ExerciseResult(
            name=exercise.name,
            title=exercise.title,
            checks=tuple(results[_name(item)] for item in self._items[name]),
            remarks=tuple(bench.remarks),
            trace=self._traces.get(name, ()),
            staff_note=self._notes.get(name, ""),
            printed=bench.printed,
            load_seconds=bench.load_seconds,
            at_deadline=self._left_out[name],
            memory_mib=bench.session.most_mib if bench.session is not None else None,
        )


def _name(item: pytest.Function) -> str:
    return item.name.removeprefix("check_")


def _rubric(item: pytest.Function) -> Rubric:
    rubric: Rubric = getattr(item.obj, ATTRIBUTE)
    return rubric


def _where_it_stopped(_tag: str | None, _half: str | None, stopped: Where | None = None, /) -> Where | None:
    return stopped


def _is_hidden(item: pytest.Function) -> bool:
    return _rubric(item).visibility != "visible"


def _joined(first: Printed, second: Printed) -> Printed:
    if not first.characters or not second.characters:
        return first if first.characters else second
    return Printed(first.head, second.tail or second.head, first.characters + second.characters)
