"""The whole way of one submission, and what keeps one from disturbing the next."""

import io

import msgspec
import pytest

from grader.errors import GradeError, IntakeError, SandboxError, UsageError
from grader.intake import accept
from grader.model.confinement import Confinement
from grader.model.course import load_course
from grader.model.job import Broken, Finished, Job, Progress
from grader.model.results import CheckResult, ExerciseResult
from grader.pipeline import HandedIn, grade_submission, judge, to_record
from grader.sandbox.launch import Line


def check(name, verdict="passed", points=1.0, **details):
    return CheckResult(
        name, f"It {name}.", "a concept", details.pop("visibility", "hidden"), verdict, points, 1.0, **details
    )


@pytest.fixture
def submission(write, residual_course, right):
    return accept(write({"residual_add.py": right}), residual_course)


@pytest.fixture
def record_of(submission, residual_course):
    """Makes the record of some results."""

    def made(*checks):
        results = (ExerciseResult("residual_add", "A block", checks),)
        finished = Finished(results, Confinement(("a layer",)), "3", "2")
        return to_record(residual_course, submission, finished)

    return made


@pytest.fixture
def line_that_says():
    """Makes a line whose judge answers with the given messages and closes."""

    def made(*answers):
        bodies = [msgspec.json.encode(answer) for answer in answers]
        data = b"".join(len(body).to_bytes(4, "little") + body for body in bodies)
        return Line(io.BytesIO(data), io.BytesIO())

    return made


# The way --------------------------------------------------------------------------------------------------------------


def test_right_solution_gets_all_points(launch, write, residual_course, right):
    record = grade_submission(HandedIn(write({"residual_add.py": right})), residual_course, launch)

    assert record.points == record.max_points == 22.0


def test_progress_is_told_check_by_check(launch, write, residual_course, right):
    heard = []

    grade_submission(HandedIn(write({"residual_add.py": right})), residual_course, launch, report=heard.append)

    assert [progress.done for progress in heard] == list(range(1, 15))
    assert {progress.total for progress in heard} == {14}


def test_student_and_files_are_in_the_record(launch, write, residual_course, right):
    folder = write({"residual_add.py": right, "notes.txt": "hello"})

    record = grade_submission(HandedIn(folder, "Ada"), residual_course, launch)

    assert record.submission.student == "Ada"
    assert [file.path for file in record.submission.files] == ["residual_add.py"]


def test_path_that_is_not_there_is_a_wrong_call(launch, residual_course, tmp_path):
    with pytest.raises(UsageError, match="does not exist"):
        grade_submission(HandedIn(tmp_path / "nothing"), residual_course, launch)


def test_folder_without_code_cannot_be_taken_in(launch, residual_course, tmp_path):
    with pytest.raises(IntakeError, match="it is empty"):
        grade_submission(HandedIn(tmp_path), residual_course, launch)


# One after the other --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "first",
    [
        "import os\nos._exit(0)\n",
        "import torch\ntorch.set_default_dtype(torch.float16)\ntorch.manual_seed(0)\n",
        "from torch import nn\nnn.LayerNorm.forward = None\nnn.Module.__call__ = None\n",
        "import sys\nsys.modules.clear()\n",
        "import builtins\nbuiltins.len = builtins.print = builtins.isinstance = None\n",
    ],
    ids=["exits", "settings", "patches_torch", "no_modules", "no_builtins"],
)
def test_submission_does_not_disturb_the_next_one(grade, right, wrong, first):
    grade(first + wrong)

    after = grade(right)

    assert after.points == after.max_points


def test_file_that_patches_torch_cannot_pass_for_right(grade, wrong):
    cheat = "torch.equal = torch.allclose = lambda *_, **__: True\ntorch.Tensor.__eq__ = lambda *_: True\n"

    record = grade(wrong + "\n\n" + cheat)

    assert "adds_the_input_back" in {c.name for c in record.exercises[0].checks if c.points == 0}


def test_building_blocks_are_ours(grade, right):
    files = {"residual_add.py": "from previous_chapters import LayerNorm\n" + right,
             "previous_chapters.py": "raise SystemExit('theirs')\n"}  # fmt: skip

    record = grade(files)

    assert (record.points, record.exercises[0].remarks) == (record.max_points, ())


def test_helper_of_the_submission_is_imported(grade, right):
    block = "from helper import ResidualAdd as Theirs\n\n\nclass ResidualAdd(Theirs):\n    pass\n"

    record = grade({"residual_add.py": block, "helper.py": right})

    assert record.points == record.max_points


# What a judge may answer ----------------------------------------------------------------------------------------------


def test_results_of_a_judge_are_returned(line_that_says, residual_course, submission):
    finished = Finished((), Confinement(()), "3", "2")

    assert judge(line_that_says(finished), Job(residual_course, submission), lambda _: None) == finished


def test_progress_of_a_judge_is_reported(line_that_says, residual_course, submission):
    heard, progress = [], Progress("residual_add", "x", 1, 2)

    judge(
        line_that_says(progress, Finished((), Confinement(()), "3", "2")),
        Job(residual_course, submission),
        heard.append,
    )

    assert heard == [progress]


def test_judge_that_could_not_judge_is_an_error_of_ours(line_that_says, residual_course, submission):
    line = line_that_says(Broken("It broke.", "details"))

    with pytest.raises(GradeError, match="It broke") as caught:
        judge(line, Job(residual_course, submission), lambda _: None)

    assert caught.value.__notes__ == ["details"]


def test_judge_that_ends_without_a_word_is_an_error_of_ours(line_that_says, residual_course, submission):
    with pytest.raises(SandboxError, match="ended without a result"):
        judge(line_that_says(), Job(residual_course, submission), lambda _: None)


def test_checks_that_cannot_be_read_are_the_authors_fault(launch, grade_on, solutions, tmp_path, right):
    for name in ("course.toml", "residual_add/exercise.toml", "residual_add/solution.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text((solutions / name).read_text())
    (tmp_path / "residual_add" / "checks.py").write_text("import nothing_of_that_name\n")

    with launch.judge("grader.checks.judge:main") as line, pytest.raises(GradeError, match="nothing_of_that_name"):
        grade_on(line)(right, course=load_course(tmp_path))


# To a record ----------------------------------------------------------------------------------------------------------


def test_verdict_is_passed_when_every_check_is(record_of):
    assert record_of(check("a"), check("b")).exercises[0].verdict == "passed"


def test_verdict_is_partial_when_some_points_are_kept(record_of):
    assert record_of(check("a"), check("b", "failed", 0.0)).exercises[0].verdict == "partial"


def test_verdict_without_points_is_that_of_the_first_check_lost(record_of):
    checks = check("a", "timed_out", 0.0), check("b", "failed", 0.0)

    assert record_of(*checks).exercises[0].verdict == "timed_out"


def test_diagnosis_is_not_our_fault_when_there_is_another(record_of):
    checks = check("a", "grader_error", 0.0), check("b", "failed", 0.0, happened="It failed.")

    assert record_of(*checks).exercises[0].diagnosis.check == "b"


def test_evidence_of_hidden_checks_is_for_staff_only(record_of):
    record = record_of(check("a", evidence={"x": 1}), check("b", evidence={"y": 2}, visibility="visible"))

    assert [c.evidence for c in record.exercises[0].checks] == [{}, {"y": 2}]
    assert record.staff["evidence"] == {"residual_add.a": {"x": 1}}


def test_thirds_of_a_point_add_up(record_of):
    checks = [msgspec.structs.replace(check(str(n)), points=1 / 3, max_points=1 / 3) for n in range(3)]

    assert record_of(*checks).exercises[0].max_points == pytest.approx(0.99)
