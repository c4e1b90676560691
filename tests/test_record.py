"""The record: the same every time, and as its schema says."""

import json
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from grader.model.record import for_student, json_schema, to_json

SCHEMA = Path(__file__).parents[1] / "docs" / "record.schema.json"
COMMAND = (
    'python -c "import json; from grader.model.record import json_schema; '
    'print(json.dumps(json_schema(), indent=2))" > docs/record.schema.json'
)


@pytest.fixture(scope="module")
def record(grade, wrong):
    return grade(wrong)


def without_timing(record):
    plain = json.loads(to_json(record))
    del plain["timing"]
    return json.dumps(plain).encode()


def verdicts(record):
    return [(check.name, check.verdict, check.points, check.tag) for check in record.exercises[0].checks]


def test_published_schema_is_that_of_the_types():
    assert SCHEMA.is_file(), f"Make it with: {COMMAND}"
    assert json.loads(SCHEMA.read_text(encoding="utf-8")) == json_schema(), f"Make it anew with: {COMMAND}"


def test_same_submission_gives_the_same_bytes_but_for_the_timing(grade, wrong, record):
    assert without_timing(grade(wrong)) == without_timing(record)


def test_same_submission_gives_the_same_bytes_in_another_judge(launch, grade_on, wrong, record):
    with launch.judge("grader.checks.judge:main") as line:
        assert without_timing(grade_on(line)(wrong)) == without_timing(record)


def test_same_record_gives_the_same_bytes(record):
    assert to_json(record) == to_json(record)


def test_timing_is_all_that_tells_the_time(record):
    assert set(msgspec.to_builtins(record.timing)) == {"started", "seconds"}


@pytest.mark.parametrize("name", ["right", "wrong"])
def test_another_seed_gives_the_same_verdicts(name, grade, residual_course, request):
    source = request.getfixturevalue(name)
    others = [msgspec.structs.replace(residual_course, seed=seed) for seed in ("one", "two", "three")]

    found = [verdicts(grade(source, course=course)) for course in (residual_course, *others)]

    assert found[1:] == found[:1] * 3


def test_another_seed_gives_other_inputs(grade, residual_course, forward):
    source = forward("print(x.sum().item())", "return x + self.drop(self.sublayer(self.norm(x), **kwargs))")
    other = msgspec.structs.replace(residual_course, seed="another")

    first, second = grade(source), grade(source, course=other)

    hidden = [record.staff["printed"]["residual_add.adds_the_input_back"] for record in (first, second)]
    assert hidden[0] != hidden[1]


def test_another_submission_gets_other_inputs(grade, forward):
    line = "return x + self.drop(self.sublayer(self.norm(x), **kwargs))"

    first, second = grade(forward("print(x.sum().item())", line)), grade(forward("print(x.sum().item())", "", line))

    hidden = [record.staff["printed"]["residual_add.adds_the_input_back"] for record in (first, second)]
    assert hidden[0] != hidden[1]


def test_visible_inputs_are_the_same_for_everybody(grade, forward, residual_course):
    source = forward("print(x.sum().item())", "return x + self.drop(self.sublayer(self.norm(x), **kwargs))")
    other = msgspec.structs.replace(residual_course, seed="another")

    assert grade(source).exercises[0].printed == grade(source, course=other).exercises[0].printed


def test_points_are_the_sum_of_the_checks(record):
    exercise = record.exercises[0]

    assert exercise.points == sum(check.points for check in exercise.checks)
    assert record.max_points == sum(check.max_points for check in exercise.checks)


def test_diagnosis_is_the_first_check_lost(record):
    exercise = record.exercises[0]

    assert exercise.diagnosis.check == next(check.name for check in exercise.checks if check.points < check.max_points)
    assert exercise.diagnosis.formula.found == "F(Norm(x))"


def test_full_marks_have_no_diagnosis(grade, right):
    assert grade(right).exercises[0].diagnosis is None


def test_students_record_has_no_staff_part(record):
    assert for_student(record).staff == {}
    assert record.staff["course_seed"] == "a-private-seed"


def test_hidden_checks_have_no_evidence(record):
    assert [check.name for check in record.exercises[0].checks if check.visibility == "hidden" and check.evidence] == []


def test_layers_of_confinement_are_listed(record):
    assert {"clean_ancestor", "no_new_privs", "rlimits", "wall_clock"} <= set(record.environment.confinement)


def test_schema_is_made_without_torch():
    code = "import sys; from grader.model.record import json_schema; json_schema(); print('torch' in sys.modules)"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "False"
