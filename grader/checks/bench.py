"""One exercise of one submission, ready for its checks: the loaded worker, or the reason why nothing can run."""

from __future__ import annotations

import ast
import time
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath
from typing import Annotated, Any, Literal

import msgspec

from grader.checks.expect import fail
from grader.checks.explain import Explained, lost, raised, shown
from grader.checks.probe import ProbeDesk
from grader.checks.student import Student
from grader.checks.where import Code, place_of, trees
from grader.model.course import BUILDING_BLOCKS, Course, Exercise
from grader.model.results import Printed, Where
from grader.model.submission import SourceFile, Submission, Work
from grader.sandbox.process import Workers
from grader.sandbox.session import FORGED, Session, Source, StudentRaised, WorkerLost
from grader.sandbox.worker import messages as m

BLOCKS = "previous_chapters"
# Tags of mistakes that make the code stop elsewhere than where they are, with the rule that finds them.
CAUSES = {"wrong-size": "fixed-size", "wrong-dtype-device": "wrong-dtype-device"}


class Note(msgspec.Struct, frozen=True):
    """What happened while loading; an absent one is a package."""

    kind: Literal["syntax", "raised", "skipped", "absent"]
    cell: m.Index | None
    line: m.Index
    text: m.Text


class Facts(msgspec.Struct, frozen=True):
    """What the worker claims about the loaded file: wanted names that exist, classes, those that are modules, notes.

    `forward` holds file, cell and first line of each wanted class's forward, where it is the student's own.
    """

    present: list[str]
    classes: list[str]
    modules: list[str]
    forward: dict[str, tuple[str, int | None, int] | None]
    notes: Annotated[list[Note], msgspec.Meta(max_length=100)]


@dataclass(frozen=True)
class Blocked:
    """Why no check of an exercise can run, and where that is."""

    explained: Explained
    where: Where | None = None


@dataclass
class Bench:
    """`session` answers for the student unless `blocked`; `forward` is where the main class's forward begins.

    `begun` are the parts of the exercise that the file has, `present` those that it had defined when it had run.
    """

    course: Course
    exercise: Exercise
    session: Session | None = None
    blocked: Blocked | None = None
    file: SourceFile | None = None
    source: Source | None = None
    forward: tuple[str, int | None, int] | None = None
    remarks: list[str] = field(default_factory=list)
    printed: Printed = field(default_factory=Printed)
    load_seconds: float = 0.0
    begun: tuple[str, ...] = ()
    present: frozenset[str] = frozenset()
    _kept: dict[str, Any] = field(default_factory=dict)

    def student(self) -> Student:
        """A fresh view for one check."""
        assert self.session is not None
        classes = [name for name in self.begun if name[:1].isupper()]
        return Student(self.session, ProbeDesk(), (*self.exercise.defines, *classes), self._kept)

    def require(self, part: str) -> None:
        """Fails the check where the student's file does not have this part."""
        kind = "class" if part[:1].isupper() else "function"
        if part not in self.begun:
            fail(f"`{part}` is not written yet.", expected=f"The {kind} `{part}`, as the task describes it.",
                 tag="not-written")  # fmt: skip
        if part not in self.present:
            fail(f"After your file had run, `{part}` was not defined.", expected=f"A {kind} named `{part}`.",
                 tag="does-not-run")  # fmt: skip

    @cached_property
    def modules(self) -> list[ast.Module]:
        """The syntax trees of the file, or of its cells; read when they are first asked for."""
        return trees([(cell.number, cell.source) for cell in self.file.cells]) if self.file is not None else []

    def locate(self, tag: str | None, half: str | None, stopped: Where | None = None, /) -> Where | None:
        """The line that most likely holds a mistake; None where that is not clear.

        `stopped` is where the code raised: that line, unless another one shows the cause.
        """
        if tag is None or self.source is None or self.forward is None:
            return stopped
        path, cell, line = self.forward
        main = self.exercise.defines[0]
        if path != self.source.units[-1].path or (stopped is not None and tag not in CAUSES):
            return stopped
        solution = self.course.text(f"{self.exercise.name}/solution.py") if tag == "wrong-signature" else None
        asked = trees([(None, solution)]) if solution is not None else []
        rule = tag if stopped is None else CAUSES[tag]
        found = place_of(Code(self.modules, main, (cell, line)), rule, half, Code(asked, main))
        return self.source.where(path, *found) if found is not None else stopped

    def close(self) -> None:
        """End the worker."""
        if self.session is not None:
            self.session.close()


def prepare(course: Course, submission: Submission, work: Work, workers: Workers) -> Bench:
    """Load what was handed in for one exercise. What the student's file does wrong ends up in `blocked`."""
    exercise = course.exercise(work.exercise)
    assert exercise is not None
    bench = Bench(course, exercise, file=work.file, remarks=list(work.remarks), begun=work.parts)
    if work.problem is not None or work.file is None:
        bench.blocked = _problem(work)
        return bench
    bench.source = handed_in = source(course, submission, work, exercise)
    bench.session = Session(workers, handed_in, course.limits)
    begun = time.monotonic()
    try:
        facts = msgspec.convert(bench.session.load(), Facts)
    except WorkerLost as error:
        bench.blocked = Blocked(lost(error.verdict, _while_loading(error.happened)))
    except StudentRaised as error:
        bench.blocked = Blocked(raised(error, "visible"), error.where)
    except (msgspec.ValidationError, m.BadFrame):
        bench.blocked = Blocked(lost("crashed", _while_loading(FORGED)))
    else:
        bench.blocked = _read(bench, facts, work.file, handed_in)
    bench.load_seconds = time.monotonic() - begun
    bench.printed = bench.session.take_output()
    return bench


def _while_loading(happened: str) -> str:
    return happened.replace("Your code", "While it was loaded, your code", 1)


def source(course: Course, submission: Submission, work: Work, exercise: Exercise) -> Source:
    """The units to load: building blocks of the course, other files of the submission, and last the file itself."""
    file = work.file
    assert file is not None
    blocks = course.text(BUILDING_BLOCKS)
    units = [] if blocks is None else [m.Unit(BLOCKS, BUILDING_BLOCKS, False, [(None, blocks)])]
    given = frozenset(one.path for one in units)
    names = {BLOCKS, exercise.name}
    for other in submission.files:
        name = PurePosixPath(other.path).stem
        if other.path != file.path and name not in names and name.isidentifier():
            names.add(name)
            units.append(unit(other, name))
    return Source([*units, unit(file, exercise.name)], (*exercise.defines, *work.parts), given)


def unit(file: SourceFile, module: str) -> m.Unit:
    """A file as a module."""
    return m.Unit(module, file.path, file.kind == "ipynb", [(cell.number, cell.source) for cell in file.cells])


def _problem(work: Work) -> Blocked:
    problem = work.problem
    if problem is None:
        return Blocked(
            Explained("not_run", None, "Nothing was handed in for this exercise.", "A file for this exercise.")
        )
    where = Where(problem.file, problem.line) if problem.file and problem.line else None
    tag = "wrong-signature" if problem.kind == "not_defined" else None
    return Blocked(Explained("not_run", tag, problem.happened, problem.next_step), where)


def _read(bench: Bench, facts: Facts, file: SourceFile, handed_in: Source) -> Blocked | None:
    """Take the worker's claims about the loaded file into the bench; returns what keeps the checks from running."""
    main = bench.exercise.defines[0]
    stops = [note for note in facts.notes if note.kind in ("syntax", "raised")]
    missing = main not in facts.present
    bench.remarks += _remarks([note for note in facts.notes if not (missing and note in stops[:1])], file)
    if missing:
        return _not_defined(main, stops, file, handed_in)
    if main in facts.classes and main not in facts.modules:
        words = f"`{main}` is a plain class."
        defined = Code(bench.modules, main).headline()
        where = handed_in.where(file.path, *defined) if defined is not None else None
        return Blocked(Explained("failed", "not-a-module", words, f"`class {main}(nn.Module):`"), where)
    bench.forward, bench.present = facts.forward.get(main), frozenset(facts.present)
    return None


def _not_defined(main: str, notes: list[Note], file: SourceFile, handed_in: Source) -> Blocked:
    if not notes:
        words = f"After your file had run, `{main}` was not defined."
        return Blocked(Explained("raised", "does-not-run", words, f"A class named `{main}`."), None)
    first = notes[0]
    where = handed_in.where(file.path, first.cell, first.line)
    text = shown(first.text, "visible")
    if first.kind == "syntax":
        words = f"Python cannot read your file: {text}."
        expected = f"A file that Python can read. Look at line {first.line} and the line above it."
    else:
        words = f"Your file stopped before `{main}` was defined: {text}."
        expected = f"A file that runs as far as `class {main}`."
    return Blocked(Explained("raised", "does-not-run", words, expected), where)


def _remarks(notes: list[Note], file: SourceFile) -> list[str]:
    """What happened while loading, for the page: costs no points."""
    remarks = [f"In {file.path}, {note}." if not note.endswith(".") else note for note in file.notes]
    absent = sorted({note.text[:60] for note in notes if note.kind == "absent" and "." not in note.text})
    if absent:
        remarks.append(f"Not installed here, so the import was passed over: {', '.join(absent)}.")
    for note in [note for note in notes if note.kind in ("raised", "syntax")][:5]:
        at = f"line {note.line}" if note.cell is None else f"code cell {note.cell}, line {note.line}"
        remarks.append(f"{file.path}, {at}, was passed over: {shown(note.text, 'visible')}.")
    if skipped := [note for note in notes if note.kind == "skipped"]:
        lines = "; ".join(f"cell {note.cell}: `{note.text[:60]}`" for note in skipped[:5])
        more = f" and {len(skipped) - 5} more" if len(skipped) > 5 else ""
        remarks.append(f"Only definitions of the notebook were run. Left out: {lines}{more}.")
    return remarks
