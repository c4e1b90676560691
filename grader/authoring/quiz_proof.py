"""The knowledge check is proven, too: its key earns all points, what is handed out none, each mistake is one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from grader.authoring.proof import Coverage, ExerciseProof, Fault
from grader.errors import CourseError
from grader.intake.begun import has_answers
from grader.model.course import Course, KnowledgeCheck
from grader.quiz import Quiz, answer_key, grade_quiz, handout, load_quiz


def quiz_among(course: Course, names: Sequence[str]) -> KnowledgeCheck | None:
    """The course's knowledge check, where these names mean it (none named: all)."""
    return course.quiz if course.quiz is not None and (not names or course.quiz.name in names) else None


def prove_quiz(course: Course, check: KnowledgeCheck) -> ExerciseProof:
    """What `grade verify` finds in the questions; they are the same on every course seed."""
    file = check.questions.relative_to(Path(course.root).parent).as_posix()
    try:
        quiz = load_quiz(Path(check.folder))
    except CourseError as error:
        words = str(error).removeprefix(str(check.questions)).lstrip(": ")
        return ExerciseProof(check.name, (), (), (Fault(file, "questions that their key can judge", words),), ())
    covered = [Coverage(one.name, tuple(mistake.answer for mistake in one.mistakes)) for one in quiz.questions]
    warnings = [f"{check.name}: no mistake is known for {one.check}" for one in covered if not one.mistakes]
    return ExerciseProof(check.name, (), tuple(covered), tuple(_faults(file, quiz)), tuple(warnings))


def _faults(file: str, quiz: Quiz) -> list[Fault]:
    handed_out, key = handout(quiz).encode(), answer_key(quiz).encode()
    earned, lost = grade_quiz(quiz, handed_out).points, grade_quiz(quiz, key).lost
    faults = [Fault(file, "all points for the key", "points lost")] if lost else []
    if earned or has_answers(handed_out):
        faults.append(Fault(file, "a file for students that counts as not begun", f"{earned:g} points for it"))
    return faults
