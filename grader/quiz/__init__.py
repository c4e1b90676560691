"""The knowledge check: questions with their key, the students' file made from them, and their answers judged.

    questions.toml ──load_quiz──▶ Quiz ──handout──▶ knowledge_check.toml ──grade_quiz──▶ ExerciseResult

Nothing that a student writes is run: formulas are read as trees and compared as algebra.
"""

from grader.quiz.handout import answer_key, handout
from grader.quiz.judging import grade_quiz
from grader.quiz.key import load_quiz, quiz_of
from grader.quiz.questions import Quiz

__all__ = ["Quiz", "answer_key", "grade_quiz", "handout", "load_quiz", "quiz_of"]
