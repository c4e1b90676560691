"""What costs no points and is said all the same."""

from pathlib import Path

import pytest

from grader.model.course import load_course

SOLUTIONS = Path(__file__).parents[2] / "solutions"
REMARKS = [
    ("deep_network", "written_out.py", "Your network is made for six sizes, as in the task"),
    ("deep_network", "erf_gelu.py", "Your GELU is the exact one"),
]


@pytest.mark.parametrize(("exercise", "rewrite", "sentence"), REMARKS)
def test_a_right_file_may_get_a_remark(exercise, rewrite, sentence, grade):
    source = (SOLUTIONS / exercise / "rewrites" / rewrite).read_text()

    record = grade({f"{exercise}.py": source}, course=load_course(SOLUTIONS), only=(exercise,))

    (graded,) = record.exercises
    assert graded.points == graded.max_points
    assert sentence in " ".join(sentence for check in graded.checks for sentence in check.remarks)
