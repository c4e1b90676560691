"""Records as pages again: one student's, or a class with a page for each student. Nothing is graded for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from reports.classroom.page import ClassPage
from reports.classroom.roster import Student, without_names
from reports.classroom.view import Asked, class_view
from reports.html import render, student_page
from reports.words import say

CLASS_PAGE, RECORD_PAGE = "class.html", "report.html"


@dataclass(frozen=True)
class Pages:
    """Files by name, the page to open first, and a sentence for everything that had to be left out."""

    files: dict[str, bytes]
    first: str
    problems: tuple[str, ...]


def made_again(students: Sequence[Student], asked: Asked, *, of_a_class: bool) -> Pages:
    """The pages of a class, or the page of the one record that there is."""
    return class_pages(students, asked) if of_a_class else record_page(students[0], asked)


def record_page(student: Student, asked: Asked) -> Pages:
    """The page of one record; no file at all for a record that no page can be made of."""
    pages, problems = _student_pages(_called([student], asked))
    return Pages(dict(zip([RECORD_PAGE], pages.values(), strict=False)), RECORD_PAGE, tuple(problems.values()))


def class_pages(students: Sequence[Student], asked: Asked) -> Pages:
    """The page of a class and those of its students. No file at all when no record is left to show."""
    students = _called(students, asked)
    pages, problems = _student_pages(students)
    left_out = tuple(f"{name}: {problem}" for name, problem in problems.items())
    students = tuple(student for student in students if student.page in pages)
    if not students:
        return Pages({}, CLASS_PAGE, left_out)
    asked = replace(asked, broken=(*asked.broken, *problems.items()))
    page = class_page(class_view(students, asked))
    files = {CLASS_PAGE: page.encode()} | {f"students/{name}": page for name, page in pages.items()}
    return Pages(files, CLASS_PAGE, left_out)


def class_page(page: ClassPage) -> str:
    """The page as one self-contained file; the same values give the same bytes."""
    return render("class", page)


def _called(students: Sequence[Student], asked: Asked) -> Sequence[Student]:
    """By name or by code."""
    return without_names(students) if asked.anonymous else students


def _student_pages(students: Sequence[Student]) -> tuple[dict[str, bytes], dict[str, str]]:
    """The page of each latest attempt by file name, and by student why there is none.

    The free parts of a record (evidence, gradients, trace) have no schema: what is wrong in them shows here.
    """
    pages, problems = {}, {}
    for student in students:
        try:
            pages[student.page] = student_page(student.latest, student.known.kept).encode()
        except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
            problems[student.shown] = say("class_page.no_page", error=f"{type(error).__name__}: {error}")
    return pages, problems
