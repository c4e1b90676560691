"""Attacks are graded here, as any submission: one launcher and one judge for all of them, in a world with canaries.

`Arena.fight` tells what came of an attack. A breach is any of these: the attack says that it got through; something of
the world is not as it was; a secret is in the record or on the page; a process is left over; a process of the grader
took too much memory; or the grading itself came to an end.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec
import processes
from attack import HONEST, Attack
from rich.console import Console
from world import World, changes

from grader.errors import GradeError
from grader.intake import accept
from grader.model.course import load_course
from grader.model.job import Job
from grader.model.limits import Limits
from grader.model.record import Record, for_student, to_json
from grader.model.submission import Submission
from grader.pipeline import JUDGE, judge, to_record
from grader.sandbox.launch import ForkLauncher, Line
from reports.html import student_page
from reports.terminal import console

LIMITS = Limits(load_seconds=3.0, check_seconds=1.5, again_seconds=0.5, memory_mib=512, output_characters=20_000)
SHORT = msgspec.structs.replace(LIMITS, load_seconds=0.5, check_seconds=0.3, again_seconds=0.05)
RESTART_SECONDS = 1.0  # of a lost worker: to end it and to fork another
GRACE = 3  # how many times slower than planned a busy machine may be
JUDGE_MAY_GROW_MIB = 1024
LEAKED = re.compile(r"LEAK:\s*-?\d")  # a number of a hidden input, told by an attack


class TooLong(Exception):
    """The grading went on when every clock should have stopped it."""


@dataclass
class Outcome:
    """What came of an attack. `record` is None when the grading itself ended.

    `shown` is what the student reads of it; `before` and `after` are the records of one honest submission.
    """

    record: Record | None = None
    seconds: float = 0.0
    breaches: list[str] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)
    before: dict[str, Any] = field(default_factory=dict)
    after: dict[str, Any] = field(default_factory=dict)

    @property
    def graded(self) -> Record:
        """The record, where there must be one."""
        assert self.record is not None, self.breaches
        return self.record


class Arena:
    """Open while the block runs. `without`: layers of confinement to leave out; `checks`: the only ones to ask."""

    def __init__(self, without: tuple[str, ...] = (), checks: tuple[str, ...] = ()) -> None:
        self._without, self._checks = without, checks
        self._spoiled = False

    def __enter__(self) -> Arena:
        self._stack, self._spoiled, self._others = ExitStack(), False, processes.descendants()
        self.world = self._stack.enter_context(World(self._checks))
        self.course = msgspec.structs.replace(load_course(self.world.course), limits=LIMITS)
        self._accepted = cache(self._taken_in)
        self._launcher = self._stack.enter_context(ForkLauncher(self._without))
        self._line = self.judge()
        self._honest = comparable(self.grade(HONEST))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()
        processes.left_over(self._others)

    def fight(self, attack: Attack) -> Outcome:
        """Grade an attack as often as it asks for, then an honest submission. After a breach the world is made anew."""
        if self._spoiled:
            self.__enter__()
        for _ in range(attack.runs):
            outcome = self._fight(attack)
            if outcome.breaches:
                break
        outcome.before = self._honest
        with contextlib.suppress(GradeError, TooLong):
            outcome.after = comparable(self.grade(HONEST))
        if outcome.breaches or outcome.after != outcome.before:
            self._give_up(outcome)
        return outcome

    def _give_up(self, outcome: Outcome) -> None:
        self._spoiled = True
        try:
            self.__exit__(None, None, None)
        except Exception as error:
            outcome.breaches.append(f"the launcher does not close: {type(error).__name__}: {error}")

    def _fight(self, attack: Attack) -> Outcome:
        self.world.picture(set())  # removes the marks of others
        grader = processes.descendants()
        before, peaks = self.world.picture(grader), processes.peaks_mib(grader)
        outcome, begun = Outcome(), time.monotonic()
        try:
            outcome.record = self.grade(attack.source(self.world.names), SHORT if attack.hangs else LIMITS)
        except (GradeError, TooLong) as error:
            outcome.breaches.append(f"the grading ended: {type(error).__name__}: {error}")
        outcome.seconds = time.monotonic() - begun
        outcome.breaches += [f"process {pid} is left over" for pid in processes.left_over(grader)]
        self.world.settle(before)
        outcome.breaches += changes(before, self.world.picture(grader))
        for pid, peak in processes.peaks_mib(grader).items():
            if peak - peaks.get(pid, peak) > JUDGE_MAY_GROW_MIB:
                outcome.breaches.append(f"process {pid} took {peak - peaks[pid]} MiB")
        if outcome.record is not None:
            outcome.shown = outputs(outcome.record)
            outcome.breaches += self._told(outcome.record, outcome.shown)
        return outcome

    def _told(self, record: Record, shown: list[str]) -> list[str]:
        found = [line for line in printed(record).splitlines() if line.startswith("THROUGH")]
        everything = msgspec.structs.replace(record, staff={**record.staff, "course_seed": ""})
        if any(self.world.token in text for text in (*shown, to_json(everything).decode())):
            found.append("the token is in the record")
        return found + [f"told to the student: {told[0]}" for text in shown if (told := LEAKED.search(text))]

    def judge(self) -> Line:
        """One more judge, for `grade_at`."""
        return self._stack.enter_context(self._launcher.judge(JUDGE))

    def grade(self, source: str, limits: Limits = LIMITS) -> Record:
        """The record of one residual_add.py, in the main thread.

        Raises:
            GradeError: it could not be graded.
            TooLong: that took far longer than the limits allow.
        """
        with at_most(time_allowed(limits)):
            return self.grade_at(self._line, source, limits)

    def grade_at(self, line: Line, source: str, limits: Limits) -> Record:
        """The record of one residual_add.py, by the judge at the other end of `line`."""
        course, submission = msgspec.structs.replace(self.course, limits=limits), self._accepted(source)
        return to_record(course, submission, judge(line, Job(course, submission), lambda _: None))

    def _taken_in(self, source: str) -> Submission:
        with tempfile.TemporaryDirectory(dir=self.world.temp) as folder:
            (Path(folder) / "residual_add.py").write_text(source, encoding="utf-8")
            return accept(Path(folder), self.course)


def time_allowed(limits: Limits, checks: int = 15) -> float:
    """An upper bound in seconds: every check may lose its worker, which is then loaded anew."""
    each = limits.load_seconds + limits.check_seconds + RESTART_SECONDS
    return GRACE * each * (1 + checks)


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raises TooLong in the main thread when the block takes longer."""

    def late(*_: object) -> None:
        raise TooLong(f"more than {seconds:g} seconds")

    usual = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, usual)


def outputs(record: Record) -> list[str]:
    """What a student is shown: JSON, page and terminal."""
    kept, terminal = for_student(record), io.StringIO()
    plain = msgspec.to_builtins(kept)
    console.show(msgspec.to_builtins(record), Console(file=terminal, width=120), page="report.html")
    return [json.dumps(plain, ensure_ascii=False), student_page(plain), terminal.getvalue()]


def printed(record: Record) -> str:
    """Everything that the student's code printed, in hidden checks too."""
    exercise = record.exercises[0]
    return "\n".join([exercise.printed.head, exercise.printed.tail, *record.staff["printed"].values()])


def comparable(record: Record) -> dict[str, Any]:
    """The record without what may differ between two runs."""
    plain: dict[str, Any] = msgspec.to_builtins(record)
    del plain["timing"]
    return plain
