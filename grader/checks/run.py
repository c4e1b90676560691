"""Running the checks of a submission: one pytest session in the judge, one result per check.

Nothing is collected from the student's side; pytest sees the course's `checks.py` files only. Visible checks of an
exercise run first: what a student's code prints in them is shown to the student, so it must not have met hidden inputs.
"""

from __future__ import annotations

import os
import time
import traceback
from collections.abc import Callable
from types import ModuleType
from typing import Any

import msgspec
import pytest
import torch

from grader.checks.bench import Bench, prepare
from grader.checks.declare import ATTRIBUTE, Rubric
from grader.checks.draw import Draw, seed_for
from grader.checks.earlier import with_earlier
from grader.checks.expect import CheckFailed, NeedsReview
from grader.checks.modules import state_first
from grader.checks.outcome import ended, stated, with_words
from grader.checks.reference import forget, reference_module
from grader.checks.student import Student
from grader.errors import CourseError, GradeError
from grader.model.course import Course, Exercise
from grader.model.results import CheckResult, ExerciseResult, Printed
from grader.model.submission import Submission, Work
from grader.sandbox.process import Workers
from grader.sandbox.session import StudentRaised, WorkerLost
from grader.sandbox.worker.messages import BadFrame

OPTIONS = [
    "-s", "--noconftest", "--import-mode=importlib", "--assert=plain", "-o", "python_functions=check_*",
    "-o", "python_files=checks.py", "-c", os.devnull, "-p", "no:cacheprovider", "-p", "no:terminal",
    "-p", "no:unraisableexception", "-p", "no:threadexception", "-p", "no:faulthandler", "-p", "no:logging",
    "-p", "no:warnings", "-p", "no:junitxml", "-p", "no:pastebin", "-p", "no:doctest", "-p", "no:stepwise",
]  # fmt: skip

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
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    torch.set_default_dtype(torch.float64)
    judging = _run(course, submission, workers, report)

    def again(work: Work) -> ExerciseResult:
        alone = msgspec.structs.replace(submission, works=(work,))
        return _run(course, alone, workers, lambda *_: None).result(work.exercise)

    works = [work for work in submission.works if course.exercise(work.exercise) is not None]
    return tuple(
        with_earlier(judging.result(work.exercise), work, judging.bench(work.exercise), again) for work in works
    )


def _run(course: Course, submission: Submission, workers: Workers, report: Report) -> Judging:
    """One pytest session."""
    exercises = [found for work in submission.works if (found := course.exercise(work.exercise)) is not None]
    judging = Judging(course, submission, workers, report)
    paths = [str(exercise.checks) for exercise in exercises]
    try:
        code = pytest.main([*OPTIONS, f"--rootdir={course.root}", *paths], plugins=[judging])
    finally:
        judging.close()
        forget(course)
    if judging.broken is not None:
        raise judging.broken
    if code != pytest.ExitCode.OK:
        raise CourseError(judging.collection_error or f"The checks could not be run (pytest ended with {code!r}).")
    return judging


class Judging:
    """The pytest plugin that turns each collected `check_…` function into a CheckResult."""

    def __init__(self, course: Course, submission: Submission, workers: Workers, report: Report) -> None:
        self._course, self._submission, self._workers, self._report = course, submission, workers, report
        self._benches: dict[str, Bench] = {}
        self._order: dict[str, list[str]] = {}
        self._results: dict[str, dict[str, CheckResult]] = {}
        self._references: dict[str, ModuleType] = {}
        self._steps: dict[str, ShowSteps | None] = {}
        self._traces: dict[str, tuple[dict[str, Any], ...]] = {}
        self._notes: dict[str, str] = {}
        self._total = 0
        self.broken: GradeError | None = None
        self.collection_error = ""

    # -- fixtures: what stands behind each name is made when the check is called

    @pytest.fixture
    def student(self) -> None:
        """The submission under check (grader.checks.Student)."""

    @pytest.fixture
    def draw(self) -> None:
        """Random tensors, private to this check and this submission (grader.checks.Draw)."""

    @pytest.fixture
    def reference(self) -> None:
        """The solution as a module of this process."""

    # -- collection

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Keep the first error, which is the author's."""
        if report.failed and not self.collection_error:
            self.collection_error = f"{report.nodeid or 'checks.py'} cannot be used: {str(report.longrepr)[-600:]}"

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Function]) -> None:
        """Visible checks first within each exercise; results keep the order of the file."""
        for item in items:
            self._order.setdefault(self._exercise(item).name, []).append(_name(item))
            self._steps[self._exercise(item).name] = getattr(item.module, "show_steps", None)
            if not isinstance(getattr(item.obj, ATTRIBUTE, None), Rubric):
                self.collection_error = f"{item.nodeid} lacks `@check(points=…, concept=…)`."
                raise pytest.UsageError(self.collection_error)
        place_of = {name: number for number, name in enumerate(self._order)}
        items.sort(key=lambda item: (place_of[self._exercise(item).name], _rubric(item).visibility != "visible"))
        self._total = len(items)

    # -- one check

    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> bool:
        """Open the check, let it run, and turn however it ended into a result."""
        exercise, begun = self._exercise(pyfuncitem), time.monotonic()
        student: Student | None = None
        ending: Exception | None = None
        try:
            bench = self._bench(exercise)
            if bench.blocked is None:
                student = bench.student()
                self._call(pyfuncitem, exercise, student)
        except GradeError as error:
            self.broken = self.broken or error
            pytest.exit(str(error))
        except Exception as error:
            ending = error if student is None else state_first(student, error)
        result = self._judged(pyfuncitem, bench, student, ending, time.monotonic() - begun)
        self._results.setdefault(exercise.name, {})[result.name] = result
        if len(self._results[exercise.name]) == len(self._order[exercise.name]):
            self._show_steps(exercise, bench)
        done = sum(len(results) for results in self._results.values())
        self._report(exercise.name, result.name, done, self._total)
        return True

    def _call(self, item: pytest.Function, exercise: Exercise, student: Student) -> None:
        purpose = (self._course.seed, self._submission.digest, exercise.name, _name(item))
        student.begin(seed_for(*purpose, "worker"))
        given: dict[str, Any] = {"student": student, "draw": Draw(seed_for(*purpose, "judge"))}
        names = item._fixtureinfo.argnames
        if "reference" in names:
            given["reference"] = self._reference(exercise)
        item.obj(**{name: given[name] if name in given else item.funcargs[name] for name in names})

    def _show_steps(self, exercise: Exercise, bench: Bench) -> None:
        """Replay a forward pass for the page, which goes without it where that is not possible."""
        show = self._steps[exercise.name]
        if show is None or bench.blocked is not None:
            return
        purpose = (self._course.seed, self._submission.digest, exercise.name, "show_steps")
        try:
            student = bench.student()
            student.begin(seed_for(*purpose, "worker"))
            self._traces[exercise.name] = show(student, Draw(seed_for(*purpose, "judge")))
        except (CheckFailed, NeedsReview, StudentRaised, WorkerLost, BadFrame):
            return
        except GradeError as error:
            self.broken = self.broken or error
            pytest.exit(str(error))
        except Exception as error:  # the author's: no reason to lose a grade
            self._notes[exercise.name] = "".join(traceback.format_exception(error))[-2000:]

    def _bench(self, exercise: Exercise) -> Bench:
        if exercise.name not in self._benches:
            for other in self._benches.values():
                other.close()
            work = next(work for work in self._submission.works if work.exercise == exercise.name)
            self._benches[exercise.name] = prepare(self._course, self._submission, work, self._workers)
        return self._benches[exercise.name]

    def _reference(self, exercise: Exercise) -> ModuleType:
        if exercise.name not in self._references:
            self._references[exercise.name] = reference_module(self._course, exercise)
        return self._references[exercise.name]

    def _exercise(self, item: pytest.Item) -> Exercise:
        found = self._course.exercise(item.path.parent.name)
        assert found is not None
        return found

    # -- results

    def _judged(
        self, item: pytest.Function, bench: Bench, student: Student | None, ending: Exception | None, seconds: float
    ) -> CheckResult:
        rubric = _rubric(item)
        printed = bench.session.take_output() if bench.session is not None and bench.blocked is None else Printed()
        hidden = rubric.visibility == "hidden"
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
            hints=rubric.hints,
            remarks=tuple(student.remarks) if student else (),
            evidence=dict(student.evidence) if student else {},
            printed=printed.head + printed.tail if hidden else "",
            seconds=seconds,
        )
        if bench.blocked is not None:
            return with_words(result, bench.blocked.explained, bench.blocked.where)
        if ending is None:
            return msgspec.structs.replace(result, formula=stated(student.formula) if student else None)
        return ended(result, bench.locate, ending)

    def bench(self, exercise: str) -> Bench:
        """What the checks of an exercise ran on."""
        return self._benches[exercise]

    def result(self, name: str) -> ExerciseResult:
        """All checks of an exercise in the order of its file."""
        bench, results, exercise = self._benches[name], self._results[name], self._benches[name].exercise
        return ExerciseResult(
            name=exercise.name,
            title=exercise.title,
            checks=tuple(results[check] for check in self._order[name]),
            remarks=tuple(bench.remarks),
            trace=self._traces.get(name, ()),
            staff_note=self._notes.get(name, ""),
            printed=bench.printed,
            load_seconds=bench.load_seconds,
        )

    def close(self) -> None:
        """End all workers."""
        for bench in self._benches.values():
            bench.close()


def _name(item: pytest.Function) -> str:
    return item.name.removeprefix("check_")


def _rubric(item: pytest.Function) -> Rubric:
    rubric: Rubric = getattr(item.obj, ATTRIBUTE)
    return rubric


def _joined(first: Printed, second: Printed) -> Printed:
    if not first.characters or not second.characters:
        return first if first.characters else second
    return Printed(first.head, second.tail or second.head, first.characters + second.characters)
