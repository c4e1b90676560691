"""Many submissions on any executor of `concurrent.futures`: whatever becomes of one, the others go on.

Files are read one hand-in at a time, and only a few are on their way at once, so memory does not grow with the class.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Set
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from datetime import datetime
from typing import NamedTuple

import msgspec

from grader.errors import GradeError, IntakeError
from grader.gradebook import Gradebook, Stored
from grader.intake.classes import each
from grader.intake.contents import Contents, shortened
from grader.intake.receipt import says_otherwise
from grader.model.class_handed_in import ClassHandedIn, HandIn
from grader.model.course import Course
from grader.model.deadline import Arrival
from grader.model.grades import Attempt
from grader.model.record import Record, SkippedRecord, SubmissionRecord

Judged = Callable[[Contents | str, str, str], Record]


class Order(NamedTuple):
    """A hand-in and its files, or the sentence that says why they cannot be read."""

    hand_in: HandIn
    contents: Contents | str
    digest: str


class Done(NamedTuple):
    """What became of a hand-in: its record and how it was stored, or trouble that is ours.

    `known`: it was not graded now. `note` is for the instructor.
    """

    hand_in: HandIn
    record: Record | None
    stored: Stored | None
    trouble: str = ""
    known: bool = False
    note: str = ""


class Runner(NamedTuple):
    """Where hand-ins are graded: `judged` is called by `executor`, on at most `at_once` of them at a time."""

    executor: Executor
    judged: Judged
    at_once: int


def grade_class(
    handed_in: ClassHandedIn, course: Course, book: Gradebook, runner: Runner, *, force: bool = False
) -> Iterator[Done]:
    """Grade what the gradebook does not know yet (all of it with `force`), and store each as soon as it is done.

    Closing the iterator drops what is still on its way; what was stored stays.
    """
    counted = Counter(hand_in.key for hand_in in handed_in.hand_ins)
    several = frozenset(key for key, number in counted.items() if number > 1)
    waiting: dict[Future[Record], Order] = {}
    try:
        for order in _orders(handed_in):
            known = None if force else book.known(order.digest, course.digest)
            if known is not None:
                yield _stored(book, order, _of(known, order), several)._replace(known=True)
                continue
            call = (order.contents, order.hand_in.key, order.digest)
            waiting[runner.executor.submit(runner.judged, *call)] = order
            if len(waiting) >= runner.at_once:
                yield from _finished(waiting, book, several)
        while waiting:
            yield from _finished(waiting, book, several)
    finally:
        for future in waiting:
            future.cancel()


def _orders(handed_in: ClassHandedIn) -> Iterator[Order]:
    for hand_in, contents in each(handed_in):
        if isinstance(contents, Contents) and contents.files:
            yield Order(hand_in, contents, contents.digest())
            continue
        words = str(contents) if isinstance(contents, IntakeError) else "There is no .py file and no notebook in it."
        seen = "\0".join((words, *hand_in.files))
        yield Order(hand_in, words, f"sha256:{hashlib.sha256(seen.encode(errors='replace')).hexdigest()}")


def _finished(waiting: dict[Future[Record], Order], book: Gradebook, several: Set[str]) -> Iterator[Done]:
    """Those that have ended, at least one."""
    done, _ = wait(waiting, return_when=FIRST_COMPLETED)
    for future in done:
        order = waiting.pop(future)
        try:
            record = future.result()
        except Exception as error:  # ours or the executor's, whatever it is: the others go on
            yield Done(order.hand_in, None, None, str(error) if isinstance(error, GradeError) else repr(error))
        else:
            yield _stored(book, order, record, several)


def _stored(book: Gradebook, order: Order, record: Record, several: Set[str]) -> Done:
    """Of a student with one attempt here the gradebook finds out which one it is; platforms call it the first."""
    number = order.hand_in.attempt if order.hand_in.key in several else None
    changed = isinstance(order.contents, Contents) and says_otherwise(order.contents)
    note = "The files are not those of the receipt in the archive: they were changed after packing." if changed else ""
    stored = book.store(Attempt(arrival_of(order.hand_in), number), record)
    return Done(order.hand_in, record, stored, note=note)


def arrival_of(hand_in: HandIn) -> Arrival:
    """When it came, as the platform tells it."""
    when = datetime.fromisoformat(hand_in.submitted) if hand_in.submitted else None
    return Arrival(hand_in.key, when, hand_in.late)


def _of(known: Record, order: Order) -> Record:
    """A record that is known as that of this hand-in: the same files, handed in by somebody or again."""
    skipped = order.contents.skipped if isinstance(order.contents, Contents) else ()
    submission = SubmissionRecord(
        order.hand_in.key,
        order.digest,
        known.submission.files,
        tuple(SkippedRecord(one.path, one.reason) for one in shortened(tuple(skipped))),
    )
    return msgspec.structs.replace(known, submission=submission)
