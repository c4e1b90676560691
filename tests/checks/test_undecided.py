"""A check that cannot decide leaves the points and the decision to the teacher, in the record and on what is shown."""

import io
from pathlib import Path

import msgspec
import pytest
from rich.console import Console

from grader.checks.expect import NeedsReview, cannot_tell
from grader.checks.outcome import ended
from grader.cli.submission import exit_code
from grader.model.course import load_course
from grader.model.record import for_student
from grader.model.results import CheckResult
from reports.html import student_page
from reports.terminal import console

SOLUTIONS = Path(__file__).parents[2] / "solutions"
CHECK = CheckResult("a", "A title.", "shapes", "hidden", "passed", 2.0, 2.0, hints=("Look again.",))


TOKENWISE = """\
import torch
from torch import nn
from previous_chapters import FeedForward, LayerNorm, MultiHeadAttention


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        d = cfg["emb_dim"]
        self.att = MultiHeadAttention(d, d, cfg["context_length"], num_heads=cfg["n_heads"],
                                      dropout=cfg["drop_rate"], qkv_bias=cfg["qkv_bias"])
        self.ff, self.norm1, self.norm2 = FeedForward(cfg), LayerNorm(d), LayerNorm(d)
        self.drop = nn.Dropout(cfg["drop_rate"])

    def forward(self, x):
        normed = self.norm1(x)
        x = x + self.drop(torch.cat([self.att(sequence) for sequence in normed.split(1)]))
        normed = self.norm2(x)
        return x + self.drop(torch.stack([self.ff(normed[:, i]) for i in range(x.shape[1])], dim=1))
"""


@pytest.fixture(scope="module")
def record(grade):
    """A right block that nobody can look into: it works on one sequence, and one token, at a time."""
    return grade({"transformer_block.py": TOKENWISE}, course=load_course(SOLUTIONS), only=("transformer_block",))


def test_a_right_block_that_cannot_be_looked_into_keeps_its_points(record):
    (exercise,) = record.exercises

    assert exercise.points == exercise.max_points
    assert exercise.verdict == "needs_review"
    assert exercise.diagnosis is None


def test_the_command_ends_as_for_full_marks(record):
    assert exit_code(record, 100.0) == 0


def test_terminal_and_page_say_that_the_teacher_will_look(record):
    terminal = io.StringIO()
    console.show(msgspec.to_builtins(record), Console(file=terminal, width=200), page="report.html")

    for shown in (terminal.getvalue(), student_page(msgspec.to_builtins(for_student(record)))):
        assert "your teacher will look" in shown
        assert "Your teacher will look at 6 checks" in shown


def test_the_points_stay():
    result = ended(CHECK, lambda tag, half: None, NeedsReview("It could not be looked at.", "A loop."))

    assert (result.verdict, result.points, result.tag) == ("needs_review", 2.0, None)


def test_no_hint_says_that_something_is_wrong():
    assert ended(CHECK, lambda tag, half: None, NeedsReview("x", "y")).hints == ()


def test_the_note_is_for_staff():
    with pytest.raises(NeedsReview) as caught:
        cannot_tell("It could not be looked at.", expected="A loop.", staff_note="Look at line 3.")

    assert ended(CHECK, lambda tag, half: None, caught.value).staff_note == "Look at line 3."
