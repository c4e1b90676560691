"""The checks of some exercises, collected once by pytest and run for one submission after the other.

Collecting costs more than many a check, so the pytest session stays open while its user goes through submissions.
Nothing is collected from the student's side; pytest is given the course's `checks.py` and looks for no files.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from types import ModuleType
from typing import Generic, TypeVar

import pytest

from grader.checks.check_file import CheckFile
from grader.checks.declare import ATTRIBUTE, Rubric
from grader.checks.reference import forget, reference_module
from grader.errors import CourseError
from grader.model.course import Course, Exercise

OPTIONS = [
    "-s", "--noconftest", "--assert=plain", "-o", "python_functions=check_*",
    f"--rootdir={os.path.dirname(__file__)}", "-c", os.devnull, "-p", "no:cacheprovider", "-p", "no:terminal",
    "-p", "no:unraisableexception", "-p", "no:threadexception", "-p", "no:faulthandler", "-p", "no:logging",
    "-p", "no:warnings", "-p", "no:junitxml", "-p", "no:pastebin", "-p", "no:doctest", "-p", "no:stepwise",
]  # fmt: skip

Answer = TypeVar("Answer")
Call = Callable[[pytest.Function], None]


def with_checks(course: Course, exercises: Sequence[Exercise], use: Callable[[Checks], Answer]) -> Answer:
    """What `use` returns; while it runs, the checks of these exercises are there for any number of submissions.

    Raises:
        CourseError: the checks cannot be collected. Whatever `use` raises, it raises, too.
    """
    if not exercises:
        return use(Checks(course))
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    session = _PytestSession(Checks(course), exercises, use)
    try:
        code = pytest.main(OPTIONS, plugins=[session])
    finally:
        forget(course)
    if session.error is not None:
        raise session.error
    if not session.answers:
        raise CourseError(f"The checks could not be run (pytest ended with {code!r}).")
    return session.answers[0]


class Checks:
    """The collected checks of a course, by exercise and in the order of their files."""

    def __init__(self, course: Course) -> None:
        self.course = course
        self.items: dict[str, list[pytest.Function]] = {}
        self._references: dict[str, ModuleType] = {}
        self._called: set[pytest.Function] = set()
        self._call: Call | None = None
        self._error: Exception | None = None
        self._failure = ""

    def run(self, items: Sequence[pytest.Function], call: Call) -> None:
        """Hand each item to `call`, within pytest's protocol for one test: fixtures are there, and go afterwards.

        Raises:
            CourseError: an item was not run to its end, for example since a fixture failed. What `call` raises, it
                raises, too. The session is of no further use then.
        """
        self._call = call
        for item, following in zip(items, [*items[1:], None], strict=False):
            self._called.discard(item)
            item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
            if self._error is not None:
                raise self._error
            if item not in self._called:
                raise CourseError(f"{item.nodeid} was not run. {self._failure}".rstrip())

    def reference(self, exercise: Exercise) -> ModuleType:
        """The solution as a module of this process."""
        if exercise.name not in self._references:
            self._references[exercise.name] = reference_module(self.course, exercise)
        return self._references[exercise.name]

    def called(self, item: pytest.Function) -> None:
        """For the session: it is the item's turn."""
        assert self._call is not None
        try:
            self._call(item)
        except Exception as error:  # pytest would make a report of it
            self._error = error
        else:
            self._called.add(item)

    def failed(self, text: str) -> None:
        """For the session: something around an item failed."""
        self._failure = "" if self.course.sealed else text

    def exercise_of(self, item: pytest.Item) -> Exercise:
        """The exercise whose checks.py holds the item."""
        found = self.course.exercise(item.path.parent.name)
        assert found is not None
        return found

    def take(self, exercises: Sequence[Exercise], items: Iterable[pytest.Item]) -> None:
        """For the session: these were collected.

        Raises:
            CourseError: a function is no check, names an unknown part, or an exercise has no check of its own.
        """
        for exercise in exercises:
            mine = [item for item in items if isinstance(item, pytest.Function) and self.exercise_of(item) == exercise]
            rubrics = [_rubric(item) for item in mine]
            known = {part.name for part in exercise.parts}
            for item, rubric in zip(mine, rubrics, strict=True):
                if rubric.part not in (None, *known):
                    raise CourseError(
                        f"{item.nodeid} looks at the part {rubric.part!r}, which exercise.toml does not list."
                    )
            if not any(one.part is None and one.visibility != "after_deadline" for one in rubrics):
                raise CourseError(f"{exercise.checks} holds no check of the exercise: a `check_…` with `@check(…)`.")
            self.items[exercise.name] = mine


def _rubric(item: pytest.Function) -> Rubric:
    rubric = getattr(item.obj, ATTRIBUTE, None)
    if not isinstance(rubric, Rubric):
        raise CourseError(f"{item.nodeid} lacks `@check(points=…, concept=…)`.")
    return rubric


class _PytestSession(Generic[Answer]):
    """The plugin in whose test loop `use` runs. Errors are kept: pytest would turn them into text."""

    def __init__(self, checks: Checks, exercises: Sequence[Exercise], use: Callable[[Checks], Answer]) -> None:
        self._checks, self._exercises, self._use = checks, exercises, use
        self.answers: list[Answer] = []
        self.error: BaseException | None = None

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

    # -- hooks

    def pytest_collection(self, session: pytest.Session) -> bool:
        """The place of pytest's own search through folders."""
        files = [CheckFile.of(session, self._checks.course, exercise) for exercise in self._exercises]
        session.items = [item for file in files for item in session.genitems(file)]
        session.testscollected = len(session.items)
        return True

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Keep the first error, which is the author's."""
        if report.failed and self.error is None:
            where = report.nodeid or "checks.py"
            self.error = CourseError(f"{where} cannot be used: {str(report.longrepr)[-600:]}")

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """The place of pytest's own loop."""
        if self.error is None:
            try:
                self._checks.take(self._exercises, session.items)
                self.answers.append(self._use(self._checks))
            except BaseException as error:
                self.error = error
        return True

    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> bool:
        """The call itself is the judge's."""
        self._checks.called(pyfuncitem)
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep why an item was not called."""
        if not report.passed:
            self._checks.failed(str(report.longrepr)[-600:])
