"""The way of each experiment, as the command goes it: read the file, ask judges, put together what they found."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from grader.errors import CourseError, GradeError, SandboxError
from grader.intake import accept
from grader.judges import usable_cores
from grader.lab.job import (
    Answer,
    Broken,
    FindSums,
    Job,
    Learned,
    Result,
    Said,
    Stop,
    Sums,
    TrainOnce,
    Tried,
    TryGradients,
    TryStack,
)
from grader.lab.record import LENGTH, SYMBOLS, CopyTask, Curve, Gradients, Stack, Who, file_tried
from grader.model.course import Course
from grader.model.submission import Submission
from grader.pipeline import keep_out_of_reach
from grader.sandbox.launch import Launcher

JUDGE = "grader.lab.judge:main"
LOOKS = 24  # how often it is looked what was learned

Report = Callable[[str], None]


@dataclass(frozen=True)
class Lab:
    """What is tried, and where: the file that was handed in, if any was, beside the solution of the course."""

    course: Course
    own: Submission | None
    solution: Submission
    launcher: Launcher
    report: Report = lambda _: None
    opening: threading.Lock = field(default_factory=threading.Lock)  # one judge is opened at a time

    @property
    def submission(self) -> Submission:
        """What is tried."""
        return self.own or self.solution


def open_lab(path: Path | None, course: Course, exercise: str, launcher: Launcher, report: Report) -> Lab:
    """Read what is to be tried: the file at `path`, or the solution of the course.

    Raises:
        UsageError, IntakeError: the path cannot be read.
        CourseError: the course has no such exercise, or its solution cannot be read.
    """
    keep_out_of_reach(course)
    known = course.exercise(exercise)
    if known is None:
        raise CourseError(f"This experiment needs the exercise {exercise}, and the course {course.name!r} has none.")
    own = accept(path, course, only=(exercise,)) if path is not None else None
    return Lab(course, own, accept(known.solution, course, only=(exercise,)), launcher, report)


def gradients(lab: Lab, depths: Sequence[int]) -> Gradients:
    """Networks of several depths, with shortcuts and without."""
    answer = _asked(lab, TryGradients(lab.course, lab.own, lab.solution, tuple(depths)))
    assert isinstance(answer, Tried)
    assert isinstance(answer.found, Gradients)
    return answer.found


def gpt2(lab: Lab, job: TryStack | None = None) -> Stack:
    """Twelve blocks of 768 dimensions, or the smaller stack of `job`."""
    answer = _asked(lab, job or TryStack(lab.course, lab.submission, lab.own is not None))
    assert isinstance(answer, Tried)
    assert isinstance(answer.found, Stack)
    return answer.found


def sums_of(lab: Lab) -> Sums | Stop:
    """Where the block adds its shortcuts, proved by the twin without them."""
    answer = _asked(lab, FindSums(lab.course, lab.submission))
    assert isinstance(answer, Sums | Stop)
    return answer


def copy_task(lab: Lab, blocks: int, seeds: Sequence[int], steps: int) -> CopyTask:
    """What the blocks learn with their residuals and without, and what those of the reference do."""
    every = max(1, steps // LOOKS)
    lab.report("Looking for the sums with the shortcuts")
    sums = sums_of(lab)
    kinds: dict[Who, TrainOnce | Stop] = {"reference": TrainOnce(lab.course, lab.solution, 0, blocks, steps, every)}
    own = TrainOnce(lab.course, lab.submission, 0, blocks, steps, every)
    if lab.own is not None:
        kinds["yours"] = sums if isinstance(sums, Stop) and sums.lost else own
    if isinstance(sums, Stop):
        kinds["without"] = sums
    else:
        twin = msgspec.structs.replace(own, sums=sums.sums)
        kinds["without"] = twin if sums.sums else Stop(sums.why)
    curves = _curves(lab, kinds, seeds)
    tried = file_tried(lab.submission, own=lab.own is not None)
    return CopyTask(tried, blocks, LENGTH, SYMBOLS, steps, every, curves)


def _curves(lab: Lab, kinds: dict[Who, TrainOnce | Stop], seeds: Sequence[int]) -> tuple[Curve, ...]:
    """All trainings side by side on all cores, each at a judge of its own."""
    jobs = [
        (who, msgspec.structs.replace(job, seed=seed))
        for seed in seeds
        for who, job in kinds.items()
        if isinstance(job, TrainOnce)
    ]
    lab.report(f"Training: {len(jobs)} times")
    with ThreadPoolExecutor(usable_cores()) as pool:
        answers = list(pool.map(lambda one: _asked(lab, one[1]), jobs))
    made = []
    for who, job in kinds.items():
        its = [answer for (whose, _), answer in zip(jobs, answers, strict=True) if whose == who]
        runs = tuple(answer.shares for answer in its if isinstance(answer, Learned))
        stops = [one for one in (job, *its) if isinstance(one, Stop)]
        made.append(Curve(who, runs, stops[0].words if stops else ""))
    reference = next(curve for curve in made if curve.who == "reference")
    if reference.stopped:
        raise CourseError(f"The solution of the course cannot be trained: {reference.stopped}")
    order = ("yours", "reference", "without")
    return tuple(sorted(made, key=lambda curve: order.index(curve.who)))


def _asked(lab: Lab, job: Job) -> Result:
    """The answer of a fresh judge; what it says on the way is reported.

    Raises:
        GradeError: it could not be done, through no fault of the student.
    """
    decoder: msgspec.json.Decoder[Answer] = msgspec.json.Decoder(Answer)
    with ExitStack() as stack:
        with lab.opening:
            line = stack.enter_context(lab.launcher.judge(JUDGE))
        line.send(msgspec.json.encode(job))
        while (body := line.receive()) is not None:
            answer = decoder.decode(body)
            if isinstance(answer, Broken):
                error = GradeError(answer.message)
                error.add_note(answer.details)
                raise error
            if not isinstance(answer, Said):
                return answer
            lab.report(answer.words)
    raise SandboxError("The process that runs the experiment ended without a result. Please run the command again.")
